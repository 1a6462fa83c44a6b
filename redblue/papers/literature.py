"""The papers whose claims the report looks at, and others that it cites for theirs."""

# Type, then fields, of the entries of BibTeX.
PAPERS: dict[str, tuple[str, dict[str, str]]] = {
    "bilardi2005": (
        "inproceedings",
        {
            "author": "Bilardi, G. and Pietracaprina, A. and Pucci, G. and Schifano, F. and "
            "Tripiccione, R.",
            "title": "The potential of on-chip multiprocessing for {QCD} machines",
            "booktitle": "High Performance Computing, HiPC 2005, Lecture Notes in Computer "
            "Science 3769",
            "pages": "386--397",
            "year": "2005",
            "doi": "10.1007/11602569_41",
        },
    ),
    "glasser1988": (
        "article",
        {
            "author": "Glasser, L. A. and Zukowski, C. A.",
            "title": "Continuous models for communication density constraints on multiprocessor "
            "performance",
            "journal": "IEEE Transactions on Computers",
            "volume": "37",
            "number": "6",
            "year": "1988",
        },
    ),
    "moreira": (
        "techreport",
        {
            "author": "Moreira, J. E.",
            "title": "Conditions for scalability of mesh-connected massively parallel processors",
            "institution": "IBM Research Division, Thomas J. Watson Research Center",
        },
    ),
    "manycore2008": (
        "inproceedings",
        {
            "author": "Long, G. and Fan, D. and Zhang, J. and Song, F. and Yuan, N. and Lin, W.",
            "title": "A performance model of dense matrix operations on many-core architectures",
            "booktitle": "Euro-Par 2008, Lecture Notes in Computer Science 5168",
            "year": "2008",
        },
    ),
    "smith2017": (
        "misc",
        {
            "author": "Smith, T. M. and Lowery, B. and Langou, J. and van de Geijn, R. A.",
            "title": "A tight {I/O} lower bound for matrix multiplication",
            "howpublished": "arXiv:1702.02017",
            "year": "2017",
            "doi": "10.48550/arXiv.1702.02017",
        },
    ),
    "kwasniewski2019": (
        "inproceedings",
        {
            "author": "Kwasniewski, G. and Kabic, M. and Besta, M. and VandeVondele, J. and "
            "Solca, R. and Hoefler, T.",
            "title": "Red-blue pebbling revisited: near optimal parallel matrix-matrix "
            "multiplication",
            "booktitle": "Proceedings of the International Conference for High Performance "
            "Computing, Networking, Storage and Analysis",
            "year": "2019",
            "doi": "10.1145/3295500.3356181",
        },
    ),
    "beaumont2022": (
        "inproceedings",
        {
            "author": "Beaumont, O. and Eyraud-Dubois, L. and Verite, M. and Langou, J.",
            "title": "{I/O}-optimal algorithms for symmetric linear algebra kernels",
            "booktitle": "Proceedings of the 34th ACM Symposium on Parallelism in Algorithms and "
            "Architectures",
            "year": "2022",
            "note": "arXiv:2202.10217",
            "doi": "10.48550/arXiv.2202.10217",
        },
    ),
    "boehnlein2025": (
        "inproceedings",
        {
            "author": "Boehnlein, T. and Papp, P. A. and Yzelman, A. N.",
            "title": "Red-blue pebbling with multiple processors: time, communication and memory "
            "trade-offs",
            "booktitle": "Structural Information and Communication Complexity, SIROCCO 2025",
            "pages": "109--126",
            "year": "2025",
            "doi": "10.1007/978-3-031-91736-3_7",
        },
    ),
    "aggarwal1988": (
        "article",
        {
            "author": "Aggarwal, A. and Vitter, J. S.",
            "title": "The input/output complexity of sorting and related problems",
            "journal": "Communications of the ACM",
            "volume": "31",
            "number": "9",
            "pages": "1116--1127",
            "year": "1988",
            "doi": "10.1145/48529.48535",
        },
    ),
    "batcher1968": (
        "inproceedings",
        {
            "author": "Batcher, K. E.",
            "title": "Sorting networks and their applications",
            "booktitle": "Proceedings of the AFIPS Spring Joint Computer Conference 32",
            "pages": "307--314",
            "year": "1968",
            "doi": "10.1145/1468075.1468121",
        },
    ),
    "savage1998": (
        "book",
        {
            "author": "Savage, J. E.",
            "title": "Models of computation: exploring the power of computing",
            "publisher": "Addison-Wesley",
            "year": "1998",
        },
    ),
    "sleator1985": (
        "article",
        {
            "author": "Sleator, D. D. and Tarjan, R. E.",
            "title": "Amortized efficiency of list update and paging rules",
            "journal": "Communications of the ACM",
            "volume": "28",
            "number": "2",
            "pages": "202--208",
            "year": "1985",
            "doi": "10.1145/2786.2793",
        },
    ),
    "krishnamoorthy2007": (
        "inproceedings",
        {
            "author": "Krishnamoorthy, S. and Baskaran, M. and Bondhugula, U. and Ramanujam, J. "
            "and Rountev, A. and Sadayappan, P.",
            "title": "Effective automatic parallelization of stencil computations",
            "booktitle": "Proceedings of the 28th ACM Conference on Programming Language Design "
            "and Implementation",
            "year": "2007",
        },
    ),
    "cook1974": (
        "article",
        {
            "author": "Cook, S. A.",
            "title": "An observation on time-storage trade off",
            "journal": "Journal of Computer and System Sciences",
            "volume": "9",
            "number": "3",
            "year": "1974",
        },
    ),
}
