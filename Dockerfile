# The command line and the studio: docker run -v "$PWD:/work" pyramidion compare scores.csv
FROM python:3.13-slim AS build
RUN apt-get update && apt-get install -y --no-install-recommends g++ git && rm -rf /var/lib/apt/lists/*
COPY . /source
RUN python -m venv /opt/pyramidion \
    && /opt/pyramidion/bin/pip install --no-cache-dir /source/english "/source[frames,logs,nlp,plot,postgres,web]"

FROM python:3.13-slim
COPY --from=build /opt/pyramidion /opt/pyramidion
RUN useradd --create-home --uid 1000 pyramidion && mkdir /work && chown pyramidion /work
USER pyramidion
WORKDIR /work
ENV PATH=/opt/pyramidion/bin:$PATH
EXPOSE 8000
# Only the studio listens; for other commands there is nothing to check.
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
    CMD python -c "import urllib.request as r; r.urlopen('http://127.0.0.1:8000/health', timeout=4)"
ENTRYPOINT ["pyramidion"]
CMD ["--help"]
