"""What to cite: this program, and the work it builds on."""

import pyramidion

__all__ = ["CITATIONS"]

#: BibTeX of the program and of the documents it puts to work.
CITATIONS = f"""\
@software{{pyramidion,
  title   = {{Pyramidion: the whole life of a summary}},
  author  = {{{{The Pyramidion authors}}}},
  version = {{{pyramidion.__version__}}},
  year    = {{2026}}
}}

@phdthesis{{rankel2016,
  title  = {{Statistical Analysis of Automatic Summarization Evaluation}},
  author = {{Rankel, Peter A.}},
  school = {{University of Maryland, College Park}},
  year   = {{2016}}
}}

@inproceedings{{rankel2011,
  title     = {{Ranking Human and Machine Summarization Systems}},
  author    = {{Rankel, Peter and Conroy, John M. and Slud, Eric V. and O'Leary, Dianne P.}},
  booktitle = {{Proceedings of EMNLP}},
  pages     = {{467--473}},
  year      = {{2011}}
}}

@article{{rankel2012,
  title   = {{Better Metrics to Automatically Predict the Quality of a Text Summary}},
  author  = {{Rankel, Peter A. and Conroy, John M. and Schlesinger, Judith D.}},
  journal = {{Algorithms}},
  volume  = {{5}},
  number  = {{4}},
  pages   = {{398--420}},
  year    = {{2012}}
}}

@inproceedings{{owczarzak2012,
  title     = {{Assessing the Effect of Inconsistent Assessors on Summarization Evaluation}},
  author    = {{Owczarzak, Karolina and Rankel, Peter A. and Dang, Hoa Trang and Conroy, John M.}},
  booktitle = {{Proceedings of ACL (Volume 2: Short Papers)}},
  pages     = {{359--362}},
  year      = {{2012}}
}}

@phdthesis{{nenkova2006,
  title  = {{Understanding the Process of Multi-Document Summarization: Content Selection,
            Rewriting and Evaluation}},
  author = {{Nenkova, Ani}},
  school = {{Columbia University}},
  year   = {{2006}}
}}
"""
