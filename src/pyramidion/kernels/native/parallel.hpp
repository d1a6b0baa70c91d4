// Distributes pairs to threads, a block at a time.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace pyramidion {

inline constexpr std::size_t kBlock = 64;
inline constexpr std::int64_t kMostThreads = 256;

// Calls `make_worker()` in each thread, then `worker(i)` for every i below `count`, each once
// and consecutive ones mostly by the same worker.
template <class MakeWorker>
void for_each_index(std::size_t count, std::int64_t threads, MakeWorker&& make_worker,
                    std::size_t block = kBlock) {
    std::atomic<std::size_t> next{0};
    std::mutex mutex;
    std::exception_ptr failure;
    const auto work = [&] {
        try {
            auto worker = make_worker();
            for (std::size_t start; (start = next.fetch_add(block)) < count;) {
                for (std::size_t i = start; i < std::min(start + block, count); ++i) worker(i);
            }
        } catch (...) {
            next = count;
            const std::lock_guard<std::mutex> lock(mutex);
            failure = std::current_exception();
        }
    };
    const auto blocks = static_cast<std::int64_t>((count + block - 1) / block);
    const std::int64_t most = std::min({threads, blocks, kMostThreads});
    std::vector<std::thread> helpers;
    helpers.reserve(static_cast<std::size_t>(kMostThreads));  // so that only creating a thread can fail
    try {
        for (std::int64_t i = 1; i < most; ++i) helpers.emplace_back(work);
    } catch (const std::system_error&) {  // no more threads: continue with these
    }
    work();
    for (std::thread& helper : helpers) helper.join();
    if (failure) std::rethrow_exception(failure);
}

}  // namespace pyramidion
