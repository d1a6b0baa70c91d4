"""Print the table of methods in docs/summarize.md."""

from pyramidion.summarizers import describe_methods

print("| method | uses | selection | options | source |")
print("|---|---|---|---|---|")
for method in describe_methods().to_dict()["results"]:
    names = ", ".join(f"`{name}`" for name in method["names"])
    uses = ", ".join(method["uses"]) or "–"
    options = ", ".join(f"`{option['name']}`" for option in method["options"]) or "–"
    source = method["citation"] or "–"
    print(f"| {names} | {uses} | {method['summary']} | {options} | {source} |")
