"""The literature of methods: of the game, of bounds and of evictions."""

# Type, then fields, of the entries of BibTeX.
METHODS: dict[str, tuple[str, dict[str, str]]] = {
    "hong1981": (
        "inproceedings",
        {
            "author": "Hong, Jia-Wei and Kung, H. T.",
            "title": "{I/O} complexity: The red-blue pebble game",
            "booktitle": "Proceedings of the 13th Annual ACM Symposium on Theory of Computing",
            "pages": "326--333",
            "year": "1981",
            "doi": "10.1145/800076.802486",
        },
    ),
    "kung1986": (
        "inproceedings",
        {
            "author": "Kung, H. T.",
            "title": "Memory requirements for balanced computer architectures",
            "booktitle": "Proceedings of the 13th Annual International Symposium on Computer "
            "Architecture",
            "pages": "49--54",
            "year": "1986",
            "doi": "10.1145/17356.17362",
        },
    ),
    "belady1966": (
        "article",
        {
            "author": "Belady, L. A.",
            "title": "A study of replacement algorithms for a virtual-storage computer",
            "journal": "IBM Systems Journal",
            "volume": "5",
            "number": "2",
            "pages": "78--101",
            "year": "1966",
            "doi": "10.1147/sj.52.0078",
        },
    ),
    "mattson1970": (
        "article",
        {
            "author": "Mattson, R. L. and Gecsei, J. and Slutz, D. R. and Traiger, I. L.",
            "title": "Evaluation techniques for storage hierarchies",
            "journal": "IBM Systems Journal",
            "volume": "9",
            "number": "2",
            "pages": "78--117",
            "year": "1970",
            "doi": "10.1147/sj.92.0078",
        },
    ),
    "loomis1949": (
        "article",
        {
            "author": "Loomis, L. H. and Whitney, H.",
            "title": "An inequality related to the isoperimetric inequality",
            "journal": "Bulletin of the American Mathematical Society",
            "volume": "55",
            "number": "10",
            "pages": "961--962",
            "year": "1949",
            "doi": "10.1090/S0002-9904-1949-09320-5",
        },
    ),
    "sethi1970": (
        "article",
        {
            "author": "Sethi, R. and Ullman, J. D.",
            "title": "The generation of optimal code for arithmetic expressions",
            "journal": "Journal of the ACM",
            "volume": "17",
            "number": "4",
            "pages": "715--728",
            "year": "1970",
            "doi": "10.1145/321607.321620",
        },
    ),
    "irony2004": (
        "article",
        {
            "author": "Irony, D. and Toledo, S. and Tiskin, A.",
            "title": "Communication lower bounds for distributed-memory matrix multiplication",
            "journal": "Journal of Parallel and Distributed Computing",
            "volume": "64",
            "number": "9",
            "pages": "1017--1026",
            "year": "2004",
            "doi": "10.1016/j.jpdc.2004.03.021",
        },
    ),
    "christ2013": (
        "techreport",
        {
            "author": "Christ, M. and Demmel, J. and Knight, N. and Scanlon, T. and Yelick, K.",
            "title": "Communication lower bounds and optimal algorithms for programs that "
            "reference arrays -- Part 1",
            "institution": "EECS Department, University of California, Berkeley",
            "number": "UCB/EECS-2013-61",
            "year": "2013",
            "note": "arXiv:1308.0068",
        },
    ),
    "elango2014": (
        "inproceedings",
        {
            "author": "Elango, V. and Rastello, F. and Pouchet, L.-N. and Ramanujam, J. and "
            "Sadayappan, P.",
            "title": "On characterizing the data movement complexity of computational {DAGs} for "
            "parallel execution",
            "booktitle": "Proceedings of the 26th ACM Symposium on Parallelism in Algorithms and "
            "Architectures",
            "year": "2014",
            "note": "arXiv:1404.4767",
        },
    ),
    "elango2015": (
        "inproceedings",
        {
            "author": "Elango, V. and Rastello, F. and Pouchet, L.-N. and Ramanujam, J. and "
            "Sadayappan, P.",
            "title": "On characterizing the data access complexity of programs",
            "booktitle": "Proceedings of the 42nd ACM Symposium on Principles of Programming "
            "Languages",
            "year": "2015",
            "pages": "567--580",
            "doi": "10.1145/2676726.2677010",
        },
    ),
    "olivry2020": (
        "inproceedings",
        {
            "author": "Olivry, A. and Langou, J. and Pouchet, L.-N. and Sadayappan, P. and "
            "Rastello, F.",
            "title": "Automated derivation of parametric data movement lower bounds for affine "
            "programs",
            "booktitle": "Proceedings of the 41st ACM Conference on Programming Language Design "
            "and Implementation",
            "year": "2020",
            "pages": "808--822",
            "doi": "10.1145/3385412.3385989",
        },
    ),
    "saha2024": (
        "inproceedings",
        {
            "author": "Saha, B. and Ye, C.",
            "title": "The {I/O} complexity of attention, or how optimal is {FlashAttention}?",
            "booktitle": "Proceedings of the 41st International Conference on Machine Learning",
            "series": "Proceedings of Machine Learning Research",
            "volume": "235",
            "year": "2024",
            "note": "arXiv:2402.07443",
        },
    ),
}
