"""The commands whose answers are held, each with what it is called."""

_FEW = (
    "--without-features r2,coverage,bigrams-p2p,coverage-p2p,norm-term-overlap,redundant-1,"
    "redundant-2,term-entropy,neg-sentence-entropy"
)
_HUMAN = "--human responsiveness"
_P1 = "--topic P01 --task A"

#: The arguments of each case. Inputs are those of `inputs.py`; what is written goes to out/.
CASES: dict[str, str] = {
    # Collections
    "describe-demo": "describe demo",
    "describe-judged": "describe judged",
    "describe-scores": "describe scores.csv",
    "describe-odd": "describe odd.csv --from scores",
    "describe-peers": "describe peers.jsonl",
    "describe-stream": "describe stream.jsonl",
    "check-demo": "check demo",
    "faithful": "faithful demo --exclude P02,P03,P05 --html out/faithful.html",
    "check-odd": "check odd.csv --from scores --html out/check.html",
    "convert-to-summaries": "convert demo out/summaries.jsonl",
    "convert-to-scores": "convert demo out/scores.csv",
    "convert-to-pyramids": "convert demo out/pyramids --to pyramids",
    "convert-to-ducview": "convert demo out/ducview --to ducview",
    "convert-to-rouge": "convert demo out/rouge --to rouge",
    "convert-to-duc": "convert demo out/duc --to duc",
    "convert-to-judged": "convert judged out/judged.jsonl --to judged",
    "convert-to-collection": "convert scores.csv out/collection",
    "convert-years": "convert years.csv out/years.jsonl --to scores",
    "convert-stream": "convert stream.jsonl out/collection",
    "demo": "demo -o out/tour",
    "engine-check": "engine check",
    # Summarizing and rewriting
    "methods": "methods",
    "methods-sum-avr": "methods sum-avr",
    "methods-lexrank": "methods lexrank",
    "summarize": "summarize articles",
    "summarize-options": "summarize articles -m sum-avr,lead,lexrank --words 50 --fit truncate "
    "--order chosen --all-sentences",
    "summarize-no-context": "summarize articles -m sum-avr --no-context --tokenizer unicode "
    "--words 40",
    "summarize-explain": f"summarize demo {_P1} -m sum-avr --explain",
    "summarize-query": "summarize articles --query 'Vorrin court' -m sum-avr --order cohesive "
    "--words 60",
    "summarize-collection": "summarize demo --task B -m lead,sum-avr -o out/peers.jsonl",
    "summarize-all": f"summarize demo {_P1} -m all --words 60",
    "summarize-people": "summarize articles -m sum-avr --rewrite people --pipeline light --who "
    "--explain",
    "summarize-np": "summarize articles -m sum-avr --rewrite np --pipeline light --phrase-weight "
    "average --explain",
    "summarize-text": "summarize articles -o out/summary.md",
    "summarize-stories": "summarize articles --stories --citations --words 40",
    "summarize-page": "summarize articles -o out/summary.html --words 40",
    "methods-train": "methods hmm-qr --train demo --task A --model out/hmm.json",
    "rewrite": "rewrite summary.txt -d article.txt --pipeline light",
    "rewrite-printed": "rewrite summary.txt -d article.txt --pipeline light --explain "
    "--rewrite people-as-printed",
    "rewrite-explain": "rewrite summary.txt -d article.txt --pipeline light --explain --who",
    "rewrite-np": "rewrite summary.txt -d article.txt --pipeline light --rewrite people,np "
    "--explain --phrase-weight average",
    "rewrite-phrases": "rewrite summary.txt -d article.txt --pipeline light --rewrite np --explain",
    "rewrite-sampled": "rewrite summary.txt -d article.txt --pipeline light --later sampled "
    "--seed 3 --words 30 --explain",
    "rewrite-many": "rewrite peers.jsonl -d demo --pipeline light -o out/rewritten.jsonl",
    "rewrite-parsed": "rewrite summary.txt -d article.txt --rewrite people,np --explain",
    # Scoring
    "metrics": "metrics",
    "metrics-js-input": "metrics js-input",
    "metrics-rouge-2": "metrics rouge-2",
    "score": "score machines",
    "score-stream": "score stream.jsonl -m rouge-2 -o out/scores.csv",
    "score-demo": "score demo -m rouge-2-r,su4,bleu,js-input -o out/scores.csv",
    "score-options": "score machines -m rouge-1,rouge-l,rouge-w-1.2 --stem --stop-words --words 50 "
    "--alpha 0.8 --best",
    "score-exact": "score demo -m rouge-1-r,rouge-2-r --exact --jackknife --bytes 300",
    "score-others": "score demo -m memog,js-references,signature-coverage,sentence-length,"
    "vert-f --seed 4",
    "rouge": "rouge -a -n 2 -x -m -c 95 -r 1000 -f A -p 0.5 -t 0 rouge/rouge.xml",
    "rouge-counts": "rouge -a -n 1 -2 4 -u -s -l 50 -f B -t 2 -d rouge/rouge.xml",
    "rouge-one": "rouge -n 1 -w 1.2 -t 1 rouge/rouge.xml lexrank",
    # Comparing systems
    "compare": "compare scores.csv",
    "compare-figures": "compare scores.csv -m rouge-2-r --task A --figures out --resamples 499",
    "compare-tests": "compare scores.csv -m responsiveness,js-input --task A --correction none "
    "--test unpaired-t,paired-t,wilcoxon,welch",
    "compare-holm": "compare scores.csv -m rouge-2-r --correction holm --test wilcoxon,permutation",
    "compare-bh": "compare scores.csv -m rouge-2-r,readability --correction bh --alpha 0.1 "
    "--test paired-t",
    "compare-mc": "compare scores.csv -m responsiveness --task B --test mc --statistic t "
    "--resamples 499 --seed 3",
    "compare-hb": "compare scores.csv -m responsiveness --task B --test hb --statistic w "
    "--correction holm --resamples 499",
    "compare-hb-unpaired": "compare scores.csv -m js-input --task B --test hb,mc "
    "--statistic t-unpaired --correction none --resamples 499",
    "compare-baseline": "compare scores.csv -m responsiveness,rouge-2-r --baseline 4 --task B "
    "--resamples 999",
    "compare-assessor": "compare scores.csv -m responsiveness --assessor L --test wilcoxon "
    "--correction holm",
    "compare-odd": "compare odd.csv -m flat,rouge-2-r --correction bh",
    "compare-years": "compare years.csv -m js-input --test paired-t --correction holm",
    "compare-papers": "compare scores.csv -m rouge-2-r+rouge-1-r --task A --exclude 2 --top 6 "
    "--test wilcoxon,kruskal --continuity --correction holm",
    "compare-as-printed": "compare scores.csv -m responsiveness --task A --as-printed --top 4 "
    "--pairs none",
    "compare-margin": "compare scores.csv -m rouge-2-r --task A --margin 0.05",
    "compare-sequential": "compare scores.csv -m responsiveness,rouge-2-r --task A --sequential "
    "--scale 0,5 --baseline 1 --correction none",
    "power-sequential": "power scores.csv -m responsiveness --task A --sequential --difference 0.5 "
    "--resamples 100 --systems 2",
    "compare-lmm": "compare scores.csv -m responsiveness --task A --model lmm",
    "compare-ordinal": "compare scores.csv -m responsiveness --task B --model ordinal --margin 1.5 "
    "--random topic,assessor",
    "compare-cluster": "compare clustered.csv -m responsiveness,rouge-2-r --task A "
    "--cluster document --test permutation,paired-t --resamples 499",
    "compare-family": "compare scores.csv -m responsiveness,rouge-2-r --family measures "
    "--resamples 499",
    "compare-markdown": "compare scores.csv -m rouge-2-r --task A --format markdown",
    "compare-table": "compare scores.csv -m responsiveness,js-input --task A --p-best "
    "--deciding 2,4 --table out/paper.tex --intervals --resamples 499",
    "compare-demo": "compare demo",
    "compare-judged": "compare judged -m responsiveness,rouge-2-r --task A --resamples 999",
    "preferences": "preferences choices.csv --elo 5 --figures out",
    "preferences-effects": "preferences choices.csv --assessor-effects --cluster both --exclude w "
    "--correction holm --baseline x",
    "compare-judge": "compare scores.csv --human responsiveness --judge rouge-2-r --task A",
    "power-judge": "power scores.csv -m responsiveness --judge rouge-2-r --task A --difference 0.5",
    "checklists": "checklists answers.csv --figures out",
    "checklists-half": "checklists answers.csv --cannot-tell half --confidence 0.9",
    "power-preferences": "power choices.csv --difference 0.3 --max-topics 200",
    "power": "power scores.csv --task A --max-topics 100 --resamples 100",
    "power-figures": "power scores.csv -m rouge-2-r --task A --max-topics 30 --resamples 50 "
    "--figures out",
    "power-curves": "power scores.csv -m responsiveness --task A --max-topics 30 --curves",
    "power-wilcoxon": "power scores.csv -m responsiveness --task A --test wilcoxon --power 0.9 "
    "--max-topics 60 --resamples 200",
    "power-unpaired": "power scores.csv -m js-input,rouge-2-r --test unpaired-t --alpha 0.01 "
    "--max-topics 50 --seed 2 --resamples 200",
    "power-difference": "power scores.csv -m responsiveness --task A --difference 0.5 --systems 30 "
    "--correction bh --cost-topic 40",
    "power-lmm": "power scores.csv -m responsiveness --task A --model lmm --max-topics 200",
    "power-ordinal": "power scores.csv -m responsiveness --task A --model ordinal --difference 1 "
    "--max-topics 200 --cost-topic 20",
    "power-odd": "power odd.csv -m flat,rouge-2-r --max-topics 40 --resamples 100",
    "report": "report scores.csv -m responsiveness,js-input --task A -o out/report.html "
    "--resamples 999",
    "report-human": f"report scores.csv -m rouge-2-r --task A {_HUMAN} --metric rouge-2-r,js-input "
    "--assessors --title Snapshot -o out/report.html --resamples 499",
    "report-baseline": "report scores.csv -m responsiveness --task B --baseline 2 --assessor K "
    "--test wilcoxon,paired-t --correction holm -o out/report.html",
    # Judging metrics
    "meta": f"meta scores.csv {_HUMAN} --resamples 200",
    "meta-figures": f"meta scores.csv {_HUMAN} -m rouge-2-r,js-input --task A --resamples 50 "
    "--figures out",
    "meta-williams": f"meta scores.csv {_HUMAN} --task A --test williams,steiger,zou,meng "
    "--correction holm --resamples 100 --interval fisher --level system --coefficient pearson",
    "meta-bca": f"meta scores.csv {_HUMAN} -m rouge-2-r,js-input --task B --interval bca "
    "--over inputs --confidence 0.9 --resamples 200 --peers machines --correction bh "
    "--level global,input --coefficient spearman,tau_ap",
    "meta-none": f"meta scores.csv {_HUMAN},readability --task A --test none --over systems "
    "--lower-is-better rouge-2-r --resamples 100 --html out/meta.html",
    "meta-control": f"meta judged {_HUMAN} -m rouge-2-r,js-input --task A --control length "
    "--resamples 99",
    "meta-markdown": f"meta scores.csv {_HUMAN} -m rouge-2-r,js-input --task A --resamples 50 "
    "--format markdown",
    "meta-odd": f"meta odd.csv {_HUMAN} --resamples 100",
    "meta-years": f"meta years.csv {_HUMAN} -m rouge-2-r,js-input --task A --resamples 100",
    "meta-judged": f"meta judged {_HUMAN} --task A --resamples 200",
    "verdicts": f"verdicts scores.csv {_HUMAN} --resamples 200 --figures out",
    "verdicts-top": f"verdicts scores.csv {_HUMAN} --top 3,5,all --peers all --resamples 100 "
    "--test paired-t --correction holm --task A",
    "verdicts-combine": f"verdicts scores.csv {_HUMAN} --combine rouge-1-r,rouge-2-r,js-input "
    "--top all --resamples 50 --task B",
    "verdicts-significance": f"verdicts scores.csv {_HUMAN} --combine rouge-2-r,js-input "
    "--combine-by significance --top all --resamples 0 --task B --continuity",
    "verdicts-as-printed": f"verdicts scores.csv {_HUMAN} --as-printed --resamples 0 --task A",
    "verdicts-costs": f"verdicts scores.csv {_HUMAN} --peers all --top all --resamples 0 --costs "
    "missed=1,false=2,reversed=3,found=-0.5,neither=0.25",
    "verdicts-years": f"verdicts years.csv {_HUMAN} --top 4,all --resamples 50",
    "verdicts-odd": f"verdicts odd.csv {_HUMAN} -m flat,rouge-2-r,js-input --resamples 20 "
    "--test hb --test-resamples 199 --lower-is-better rouge-2-r",
    "verdicts-judged": f"verdicts judged {_HUMAN} --resamples 50 --top all --task A",
    "gap": f"gap scores.csv {_HUMAN} --resamples 200 --figures out",
    "gap-robust": f"gap scores.csv {_HUMAN} --fit robust --interval percentile --over systems "
    "--resamples 100 --task A",
    "gap-plain": f"gap scores.csv {_HUMAN} --plain --over inputs --resamples 100 "
    "--test permutation --correction maxt --test-resamples 499 --lower-is-better rouge-1-r",
    "gap-odd": f"gap odd.csv {_HUMAN} --resamples 50",
    "gap-judged": f"gap judged {_HUMAN} --resamples 50 -m rouge-1-r,js-input --task A",
    "composite": "composite scores.csv --figures out --scores out/composite.csv",
    "composite-within": "composite scores.csv -m responsiveness,rouge-2-r,js-input --task A "
    "--within-topics --components 2 --test paired-t --correction holm",
    "composite-correlations": "composite scores.csv -m responsiveness,rouge-2-r,js-input --task A "
    "--correlations",
    "composite-odd": "composite odd.csv --lower-is-better rouge-1-r",
    "composite-judged": "composite judged -m responsiveness,rouge-2-r,js-input --task A",
    "difficulty": "difficulty judged -m responsiveness --task A --resamples 499 --figures out",
    "difficulty-bca": "difficulty judged -m rouge-2-r,readability --peers machines --interval bca "
    "--coefficient kendall,spearman --resamples 199",
    "difficulty-demo": "difficulty demo --resamples 99",
    "difficulty-scores": "difficulty scores.csv",
    # Judging those who judge
    "judge": "judge demo --model none --rubric fluency,preference --dry-run --task A --topics P01 "
    "--pairs 2 --price-input 1 --price-output 4",
    "assessors-judges": "assessors models.csv --resamples 100 --figures out",
    "meta-judges": "meta models.csv --human fluency --resamples 99",
    "assessors": "assessors assessed --resamples 100 --figures out",
    "assessors-options": "assessors assessed --level interval --beside topic --contingency "
    "--task A -m readability --confidence 0.9 --resamples 50 --html out/assessors.html",
    "assessors-scores": "assessors scores.csv --resamples 50 --contingency",
    "assessors-demo": "assessors demo --resamples 50",
    "assessors-impact": "assessors assessed --impact --task A --resamples 20 --figures out",
    "assessors-impact-most": "assessors assessed --impact --worst-by alpha --max-excluded 2 "
    "--peers machines --metrics rouge-2-r --resamples 20",
    "assessors-classy": "assessors assessed-2009 assessed-2010 --classy assessed-2011 --versions 6 "
    "--task A --resamples 20",
    # Trained metrics
    "classy-models": "classy models",
    "classy-models-one": "classy models classy-2011/25/A/all",
    "classy-train": f"classy train --years 2009 2010 {_FEW} --version 25,8 --task A "
    "-o out/models --search-table out/search.csv --figure out/search.svg",
    "classy-train-nonneg": f"classy train --years 2009 2010 {_FEW} --target responsiveness "
    "--method nonneg --criterion kendall --level system --peers no-models --exact --task B",
    "classy-train-ranking": "classy train --years 2009 2010 --version 25 --task A --peers all "
    "--method regularized",
    "classy-evaluate": "classy evaluate 2009 2010 2011 --target content=pyramid-modified "
    "--features rose --resamples 50 --figure out/left-out.svg",
    "classy-predict": "classy predict classy-2011/25/A/all 2011 -o out/predictions.csv",
    "classy-predict-machines": "classy predict classy-2011/8/A/no-models judged --task B",
    # Pyramids
    "pyramid-score": "pyramid score demo",
    "pyramid-score-peers": "pyramid score matched --no-references -o out/scores.csv",
    "pyramid-tiers": f"pyramid tiers demo {_P1} --figure out/tiers.svg",
    "pyramid-tiers-all": "pyramid tiers demo --examples 0 --task B",
    "pyramid-optimal": f"pyramid optimal demo {_P1}",
    "pyramid-optimal-size": "pyramid optimal demo --size 4 --examples 3 --task A",
    "pyramid-units": "pyramid units demo --topic P01 --a 5",
    "pyramid-missed": "pyramid missed matched --topic P01",
    "pyramid-missed-least": "pyramid missed demo --topic P02 --task A --min-weight 2 --top 3 "
    "--system E,F",
    "pyramid-pairs": "pyramid pairs matched --topic P01 --hits out/hits.csv --resamples 999",
    "pyramid-pairs-weighted": "pyramid pairs matched --weighted --test paired-t --correction holm "
    "--systems lead,first,lexrank",
    "pyramid-agreement": "pyramid agreement matched similar --peers --figure out/agreement.svg",
    "pyramid-stability": f"pyramid stability demo {_P1} --scores --figure out/stability.svg "
    "--scores-figure out/scores.svg",
    "pyramid-stability-modified": "pyramid stability demo --score modified --of references "
    "--equal 0.1 --apart 0.2 --ranked 2 --splits 4 --repetition 5 --task A",
    "pyramid-importance": "pyramid importance demo --figure out/importance.svg",
    "pyramid-importance-sentences": "pyramid importance matched --sentences out/sentences.csv",
    "pyramid-importance-all": "pyramid importance demo --all-words --stem --tokenizer rouge "
    "--task B",
    "pyramid-auto-match": "pyramid auto demo --match --scores out/scores.csv",
    "pyramid-auto-match-options": "pyramid auto machines --match --gap 2 --skip 1 --min-words 2 "
    "--nested --of all --topic P01 -o out/collection --to collection",
    "pyramid-auto-similar": "pyramid auto machines --by similarity --topic P01 --task A -o "
    "out/annotated --scores out/scores.csv",
    "pyramid-auto": "pyramid auto machines --topic P01 --task A --scores out/scores.csv",
    "pyramid-auto-references": "pyramid auto score machines --topic P01 --task A "
    "--units references",
    "pyramid-auto-fit": "pyramid auto fit demo --topic P01 --task A -o out/model.json",
    "pyramid-auto-build": "pyramid auto build demo --topic P01 -o out/built",
    # How people summarize
    "reproduce": "reproduce nenkova-5.4 rankel-3.2",
    "study-all": "study all demo --topic P01,P02",
    "study-vocabulary": "study vocabulary demo --figure out/vocabulary.svg",
    "study-vocabulary-options": "study vocabulary demo --against articles --texts 3 --all-words "
    "--stem --tokenizer rouge --task A",
    "study-frequent-words": "study frequent-words demo --peers peers.jsonl --figure out/words.svg",
    "study-frequent-words-top": "study frequent-words demo --top 3,6 --all-words --no-stem "
    "--task A",
    "study-frequent-words-brackets": "study frequent-words demo --topic P01 --brackets 6 "
    "--figure out/ranks.svg",
    "study-word-classes": "study word-classes demo --peers peers.jsonl --figure out/classes.svg",
    "study-likelihood": "study likelihood demo --peers peers.jsonl --figure out/likelihood.svg",
    "study-likelihood-options": "study likelihood demo --words 0 --absent 0.01 --all-words "
    "--no-stem --task A",
    "study-composition": "study composition demo --topic P01,P02 --words 60 --peers peers.jsonl "
    "--figure out/composition.svg",
    "study-tiling": "study tiling demo --peers peers.jsonl --figure out/tiling.svg",
    "study-content-units": "study content-units demo --topic P01,P02 --peers peers.jsonl "
    "--figure out/units.svg",
    "study-quality": "study quality scores.csv --figure out/quality.svg",
    "study-quality-judgments": "study quality demo --judgments",
    "study-quality-demo": "study quality demo -m readability --task A",
    "study-systems": "study systems scores.csv -m responsiveness,js-input --resamples 5000 "
    "--figure out/systems.svg",
    "study-systems-baseline": "study systems scores.csv -m rouge-2-r --baseline 4 --confidence 0.9 "
    "--resamples 5000 --task A",
    "study-systems-demo": "study systems demo --resamples 2000",
    "study-utility": "study utility demo --peers peers.jsonl --figure out/utility.svg",
    "study-utility-extract": "study utility demo --sentences 3 --extract "
    "HNS20310412.0031/1,LCO20310415.0009/2",
    "study-lognormal": "study lognormal demo --topic P01,P02 --figure out/lognormal.svg",
    "study-lognormal-options": "study lognormal demo --absent 0.01 --all-words --no-stem "
    "--tokenizer rouge --task B",
    "study-references": "study references articles article.txt --pipeline light --people "
    "--resamples 200 --figure out/references.svg --save out/chains.json",
    "study-references-summaries": "study references demo --of summaries --pipeline light --add 0.5 "
    "--resamples 100 --task A",
    "study-status": "study status demo --pipeline light --topic P05 --folds 4 "
    "--save out/model.json",
    "study-contrast": f"study contrast scores.csv {_HUMAN} -m rouge-2-r --machines 3 --task A",
    "study-tests": "study tests scores.csv -m rouge-2-r --task A --topics 4,8,12 --samples 5 "
    "--test paired-t,wilcoxon,hb --resamples 199",
    # Before any command
    "cite": "--cite",
}

#: Cases that take about five seconds of CPU time or more.
LONG: frozenset[str] = frozenset({"power-figures", "demo"})

#: Earlier versions find another extract of equal worth, or put other ticks on an axis.
NEWER: dict[str, dict[str, str]] = {
    "summarize-all": {"scipy": "1.17"},
    "meta-none": {"matplotlib": "3.11"},
}
