"""Text that is no loop nest, or that might be misread: one sentence with the line."""

import pytest

from dags.programs import ProgramError
from dags.programs.text import from_c, from_python
from dags.programs.text.library import polybench

LOOP = "for (i = 0; i < N; i++) "
IN_C = {
    # indices, bounds and conditions
    "\n\nfor (i = 0; i < N; i++)\n for (j = 0; j < N; j++)\n  A[i*j] = 2*A[j];": (
        5,
        "index i * j is not affine",
    ),
    LOOP + "A[i/2] = 2*A[i];": (1, "i / 2 is affine only where N is a number: add N=..."),
    LOOP + "A[i%2] = 2*A[i];": (1, "i % 2 is affine only where N is a number: add N=..."),
    LOOP + "for (j = i; j < 9; j++) A[j%2] *= 2;": (1, "the loop over j has ends that change"),
    LOOP + "A[B[i]] = 2*A[i];": (1, "B[i] is not affine: it depends on the data in B; a sparse"),
    LOOP + "for (j = p[i]; j < p[i+1]; j++) A[i] *= x[j];": (1, "it depends on the data in p"),
    LOOP + "A[A[i] > 2 ? i : 0] = 2*A[i];": (1, "is not affine"),
    LOOP + "A[i, 1] = 2*A[i];": (1, "a comma between expressions is not read"),
    "for (i = 0; i < N*N; i++) A[i] *= 2;": (1, "N * N is affine only where N is a number"),
    "for (i = 0; i < n[m]; i++) A[i] *= 2;": (1, "bound n[m] is not affine"),
    "for (i = 0; i < 2*i + 5; i++) A[i] *= 2;": (1, "i is read outside of the loop over i"),
    LOOP + "if (0 < i < 3) A[i] *= 2;": (1, "is not affine"),
    LOOP + "if (i % 2 == 0) A[i] *= 2;": (1, "i % 2 is affine only where N is a number"),
    LOOP + "if (A[i] > 0) for (j = 0; j < 3; j++) A[j] *= 2;": (1, "is not affine"),
    LOOP + "if (A[i] > m) { m = A[i]; k[0] = m; }": (1, "is not affine"),
    LOOP + "if (A[i] > 2) return;": (1, "a return depends on data, 'A[i] > 2': leave it out"),
    LOOP + "if (A[i] > 2 * x) { A[i] = x; g(A); }": (1, "the condition 'A[i] > 2 * x' is not"),
    "memset(A, 1, 4 * n);": (1, "memset is read where it writes 0: write its loop"),
    "memset(A, 0, 4 * n);": (1, "memset is read where it fills a flat array whose type is known"),
    "A[threadIdx.x] *= 2;": (1, "threadIdx is of threads, which are no loop: write loops over"),
    LOOP + "if (i = 1) A[i] *= 2;": (1, "an assignment inside of an expression is not read"),
    "while (x[0] > 0) x[0] *= y;": (
        1,
        "a 'while' loop is not read, since how often it runs depends",
    ),
    "do { x[0] *= y; } while (x[0] > 0);": (1, "a 'do' loop is not read"),
    "goto end; end: x *= 2;": (1, "'goto' is not read: write loops and conditions"),
    "switch (N) { case 1: x *= 2; }": (1, "'switch' is not read"),
    LOOP + "{ A[i] *= 2; break; }": (1, "'break' is not read: write in the loop's head where it"),
    LOOP + "{ if (i > 3) break; A[i] *= 2; }": (1, "'break' is not read: write in the loop's head"),
    LOOP + "{ if (A[i] > 3) break; A[i] *= 2; }": (
        1,
        "'break' is not read, since how often its loop runs depends on data: write the loop to its",
    ),
    LOOP + "if (g(i)) A[i] *= 2;": (1, "the condition 'g(i)' is not affine in loop variables and"),
    LOOP + "A[i] = 2 * i[3];": (1, "i is an integer and has no cells"),
    LOOP + "A[i/k] = 2*A[i];": (1, "i / k is affine only where k is a number: add k=..."),
    LOOP + "for (j = i; j < N; j++) A[(i + j)/2] *= 2;": (
        1,
        "(i + j) / 2 is not affine: the loop over j has ends that change",
    ),
    # loops
    "for (i = 0; i < N; i += 0) A[i] *= 2;": (1, "step 0 never ends"),
    "for (i = 0; i < N; i += s) A[i] *= 2;": (
        1,
        "step s is affine only where s is a number: add s",
    ),
    "for (i = 1; i < x[i]; i *= 2) A[i] *= 2;": (1, "does not end with 'i += step'"),
    "for (i = 1; i < N; i *= 2) A[i] *= 2;": (
        1,
        "how often 'while i < N' runs is known only where N is a number: add N=...",
    ),
    "for (i = 0; i < 9; i *= 2) A[i] *= 2;": (1, "'while i < 9' counts by no step and runs more"),
    "for (i = 0; i < N; i--) A[i] *= 2;": (1, "does not run while 'i > stop'"),
    "for (i = N; i > 0; i -= -1) A[i] *= 2;": (1, "does not run while 'i < stop'"),
    "for (i = N; i <= 0; i -= 1) A[i] *= 2;": (1, "does not run while 'i > stop'"),
    "for (unsigned i = N; i >= 0; i--) A[i] *= 2;": (1, "i is unsigned"),
    "size_t i; for (i = N; i >= 0; i--) A[i] *= 2;": (1, "i is unsigned"),
    "for (;;) A[0] *= 2;": (1, "a loop counts by one variable: write for"),
    "for (i = 0; ; i++) A[i] *= 2;": (1, "a loop without an end is not read: write i < stop"),
    "for (; i < N; i++) A[i] *= 2;": (1, "i is read outside of the loop over i"),
    "for (i = 0, j = 0; i + j < N; i++, j++) A[i] *= 2;": (
        1,
        "how often 'while i + j < N' runs is known only where N is a number: add N=...",
    ),
    "for (i = 0, j = 99; i < j; i++, j -= x[i]) A[i] *= 2;": (1, "a loop counts by one variable"),
    "for (i = 0, j = 999; i < j; i++, j--) A[i] *= 2;": (
        1,
        "'while i < j' counts by no step and runs more than 64 times: write a loop with one",
    ),
    LOOP + "for (i = 0; i < 3; i++) A[i] *= 2;": (1, "inside another loop over i"),
    LOOP + "{ A[i] *= 2; i = i + 1; }": (1, "the loop variable i is assigned to"),
    LOOP + "{ A[i] *= 2; i++; }": (1, "the loop variable i is assigned to"),
    LOOP + "A[i] *= 2; A[i] = 3 * A[0];": (1, "i, read behind its loop, is affine only where N"),
    LOOP + "A[i] *= 2; x = i * A[0];": (1, "i, read behind its loop, is affine only where N is"),
    "for (i = 0, j = 0; i < N; k++, j++) A[i] *= 2;": (1, "a loop counts by one variable: write"),
    "for (i = 0, j = 9; i < N; i++, j--) { if (i == 3) continue; A[i] *= A[j]; }": (
        1,
        "a loop with 'continue' counts by one variable: write the others in its body",
    ),
    LOOP + "for (w = i; w > 1; w /= 2) A[w] *= 2;": (1, "the loop over w does not end with 'w +="),
    "for (i = 0; i < N; i = g(i)) A[i] *= 2;": (1, "the loop over i does not end with 'i += step'"),
    "unsigned i = N; while (i >= 0) { A[i] *= 2; i--; }": (
        1,
        "i is unsigned: where it counts down",
    ),
    LOOP + "{ if (i > 2) { A[i] *= 3; { if (i > 4) continue; } A[i] *= 2; } A[i] *= 5; }": (
        1,
        "'continue' is read where a condition of the loop's own body ends with it",
    ),
    LOOP + "{ int j; for (j = i; j < N - 3; j += 3) A[j] *= 2; A[j] *= 3; }": (
        1,
        "j is read behind its loop, whose ends move with i: write where what is left over begins",
    ),
    # integers
    LOOP + "{ A[k] *= 2; k += m; }": (1, "k changes in a loop or a condition"),
    "int k = 0; " + LOOP + "{ A[k] *= 2; k += m; }": (1, "the step of k is affine only where m is"),
    "int k = 0; " + LOOP + "{ A[k] *= 2; k += i; }": (1, "k changes in a loop or a condition"),
    "int k = 0; for (i = 0; i < N; i += 2) k++; A[k] *= 2;": (
        1,
        "k is affine only where N is a number: add N=...",
    ),
    "int m = N > 3 ? 1 : 2; A[m] *= 2;": (1, "1 if N > 3 else 2 is affine only where N is a"),
    "enum { K = 3 }; A[K] *= 2; K = 2 * A[0];": (1, "K is a size and is assigned to"),
    LOOP + "{ A[m] *= 2; m = i; }": (1, "m changes in a loop or a condition"),
    LOOP + "{ A[m] *= 2; m++; }": (1, "m changes in a loop or a condition: write it with loop"),
    LOOP + "{ m = m + 1; A[m] *= 2; }": (1, "m changes in a loop or a condition"),
    "if (N > 3) m = 1; " + LOOP + "A[i+m] *= 2;": (1, "index i + m is not affine"),
    LOOP + "for (j = 0; j < m; j++) { m = 5; A[j] *= 2; }": (1, "bound m is not affine: m changes"),
    LOOP + "m = i; A[m] *= 2;": (1, "index m is not affine"),
    "int m = N / 2; A[m] *= 2;": (1, "N / 2 is affine only where N is a number: add N=..."),
    "int m = y[0]; A[m] *= 2;": (1, "index m is not affine: m depends on the data in y"),
    "void f(int i, double A[9]) { A[i] *= 2; for (i = 0; i < 3; i++) A[i] *= 2; }": (
        1,
        "i is read outside of the loop over i",
    ),
    # expressions
    LOOP + "A[i] = B[i++];": (1, "++ inside an expression is not read"),
    LOOP + "A[x] = ++x * 2;": (1, "++ inside an expression is not read: write it as a statement"),
    LOOP + "A[i] = (x, 2 * y);": (1, "a comma between expressions is not read"),
    LOOP + "A[i] = x = 1 = y;": (1, "an assignment goes to no cell of an array"),
    LOOP + "A[i] = x + (x += 2);": (1, "an assignment inside of an expression is not read"),
    LOOP + "step(A, i);": (1, "step is called for what it changes, which is not read: write its"),
    "void f(double *a) { double *p = a; p *= 4; p[0] *= 2; }": (1, "p is a pointer that moves"),
    "void f(int k, double *a, double *b) { double *p = k ? a : b; p[0] *= 2; }": (
        1,
        "depends on a selection by ?:, which is not read: write if and else",
    ),
    "void f(double *a, double *c) { a[0] = c != NULL ? c[0] : a[1]; }": (
        1,
        "whether c is NULL is not known",
    ),
    "void f(double *a, double *c) { double *p; p = a; p[0] = 2; p = c; p[1] = a[1]; }": (
        1,
        "p points into a and into c: write cells as A[i*n + j]",
    ),
    LOOP + "A[i] = rand() * B[i];": (1, "rand() reads nothing that is seen here"),
    LOOP + "{ B[i] = 1; A[i] = f(B, i); }": (1, "B has 0 indices here and 1 in line 1"),
    "void f(double A[4], double B[4]) { A[0] = g(B) * 2; }": (
        1,
        "g is handed an array, and what it reads of it is not known: write its loop",
    ),
    "void f(double A[4][4]) { A[1] *= 2; }": (1, "A has 1 indices here and 2"),
    "double f(double x) { x = f(x) * 2; return x; }": (1, "recursion"),
    "x = 08 * y; A[08] = x;": (1, "the text is no C that is read: "),
    f"A[{'9' * 5000}] *= 2;": (1, "is no whole number"),
    "A[9999999999999] *= 2;": (1, "too large to compute with"),
    # pointers
    "void f(double *a) { double *p = a + 4; a[0] = p * 2; }": (1, "p is a pointer and is used"),
    "void f(double *a) { double s = a[0] * 3; double *p = &s; p[1] = 2 * a[1]; }": (
        1,
        "s is a number and has no cells",
    ),
    "void f(double *a) { double (*p)[4] = (double (*)[4]) a; a[0] = 2 * p[1]; }": (
        1,
        "a row of a is used as a number",
    ),
    "void f(double *a, int n) { for (double *p = a; n > 0; p++) *p *= 2; }": (
        1,
        "the loop over p does not run while 'p < stop'",
    ),
    "void f(double *a, int n) { double *p = a; for (p = a + 2; n > 0; n--) p[0] *= 2; }": (
        1,
        "the loop over p does not end with 'p += step'",
    ),
    "void f(double *a, int n) { double *p = a;"
    " for (int i = 0; i < n; i++) { p[0] *= 2; p += i; } }": (
        1,
        "index p is not affine: the pointer p moves by what is not known: write cells as A[i*n",
    ),
    "void f(double *a, int *c, int n) { double *p = a;"
    " for (int i = 0; i < n; i++) { p[0] *= 2; p += c[i]; } }": (
        1,
        "index p is not affine: the pointer p moves by what is not known: write cells as A[i*n",
    ),
    "void f(double *a, int n) { double *p = a;"
    " for (int i = 0; i < n; i++) { p[0] *= 2; p += i * i; } }": (
        1,
        "index p + i * i is not affine: loop variables are multiplied or divided",
    ),
    "void f(double *a, double *b) { swap(a, b); a[0] = 2 * b[0]; }": (
        1,
        "swap is read of two pointers in the body of a loop: write cells as A[t % 2][i]",
    ),
    "void f(int n, double *a, double *b) { for (int t = 0; t < n; t++)"
    " { b[0] = 2 * a[0]; double *c = a; a = b; b = c; } }": (
        1,
        "a loop in which pointers change places is affine only where n is a number: add n=...",
    ),
    "void f(double *a, double *b) { for (int t = 0; t < a[0]; t++)"
    " { b[0] = 2 * a[0]; double *c = a; a = b; b = c; } }": (
        1,
        "how often pointers change places is not known: write cells as A[t % 2][i]",
    ),
    "void f(double *a, double *b) { while (a[0] > 2)"
    " { b[0] = 2 * a[0]; double *c = a; a = b; b = c; } }": (1, "a 'while' loop is not read"),
    "void f(double *a, double *b, double *c, double *d, double *e, double *g, double *h) {"
    " for (int t = 0; t < 99; t++) {"
    " b[0] = 2 * a[0]; swap(a, b); swap(c, d); swap(d, e); swap(e, g); swap(g, h); } }": (
        1,
        "pointers change places in more ways than are read: write cells as A[t % 2][i]",
    ),
    # statements
    "void f(double *a) { a[0] *= 2; a[0] + 1; }": (1, "a statement is no loop, no condition and"),
    "void f(double *a) { struct s b = {1, 2}; a[0] = b.x * a[1]; }": (
        1,
        "b is no array and is declared with values in braces: assign its fields",
    ),
    "void f(double *a) { a[0] + a[1] = 2; }": (1, "an assignment goes to no cell of an array"),
    "void f(double *a, struct s *b) { for (int i = 0; i < sizeof(struct s); i++) a[i] *= 2; }": (
        1,
        "the size of a type is not known",
    ),
    "void f(int n, double *a) { for (int i = 0; i < n; i++) { "
    + "".join(f"int m{k} = i > {k} ? {k} : i + 1; " for k in range(9))
    + "a[0] = "
    + " + ".join(f"a[m{k}]" for k in range(9))
    + "; } }": (
        1,
        "a statement reads more than 6 whole numbers that conditions choose: write it in the",
    ),
    # declarations and blocks
    LOOP + "{ double t = A[i] * 2; A[i] = t; } x = t * 2;": (
        1,
        "t is used behind the block that declares it",
    ),
    "int f(int n, double x[3]) {\n x[0] *= 2;\n return x;\n x[1] *= 2; }": (3, "a return before"),
    "x = y * 2; void f(double z) { z *= 2; }": (1, "a statement stands outside"),
    "void f(double z) { z *= 2; } x *= 2;": (1, "a statement stands outside"),
    "void f(double z) { z *= 2; } void f(double z) { z *= 3; }": (None, "f is there twice"),
    "void f(double z) { z *= 2; } void g(double z) { z *= 3; }": (None, "which function is meant"),
    # the preprocessor
    "\nx *= 3;\n#if N > 3\nx = y * 2;\n#endif\nx *= 2;": (
        3,
        "whether the lines behind an #if",
    ),
    "#define F(a, b) ((a) + (b))\nx = F(y) * 2;": (2, "F takes 2 arguments, not 1"),
    "#define T(a, b) (a > b ? a : b)\nx = T(y < z, z) * 2;": (
        2,
        "parentheses around the parameters",
    ),
    "#define INC(a) ((a)++)\nx = INC(x) * 2;": (2, "++ inside an expression"),
    "#define PUT(a, b) (a += b)\nx = PUT(x, z) * 2;": (2, None),
    "#define I(i) i + 1, 2\nx[I(N)] *= 2;": (2, "a comma between expressions is not read"),
    "#define A B B\n#define B C C\n"
    + "".join(f"#define {chr(67 + k)} {chr(68 + k)} {chr(68 + k)}\n" for k in range(16))
    + "x = A;": (14, "macros stand for more than 100000 words"),
    "#endif\nx *= 2;": (1, "the preprocessor says: misplaced #endif"),
    "#if 1\nx *= 2;": (1, "the preprocessor says: unterminated #if"),
    "#if 1/0\nx *= 2;\n#endif": (1, "the condition '1/0' of an #if has no value"),
    "#define\nx *= 2;": (1, "a directive of the preprocessor is not read"),
    "".join(f"#define A{k} A{k + 1}\n" for k in range(3000)) + "x = A0 * 2;": (
        None,
        "macros are nested too deeply",
    ),
    # C++
    "template <class T void f(T *a) { a[0] *= 2; }": (1, "'<' is not closed"),
    "void f(double a[2]) ) { a[0] *= 2; }": (1, "')' closes nothing"),
    "void f(double *a) { auto g = [](double x) { return x * x; }; a[0] = g(a[1]); }": (
        1,
        "a lambda is not read: write its statements where it is used",
    ),
    "void f(std::vector<double> a) { for (double &x : a) x *= 2; }": (
        1,
        "a loop over the cells of an array is not read: write for (i = 0; i < n; i++)",
    ),
    "void f(double *a) { if (a[0] > 2) throw 3; a[0] *= 2; }": (1, "'throw' is not read: write"),
    # characters
    "x *= 2; @": (1, "'@' begins no word of C"),
    "x *= 2;\n x = $;": (2, "'$' begins no word of C"),
    "x *=\0 2;": (1, "a NUL character begins no word of C"),
    "x = y;" * 60_000: (1, "the text has more than 200000 words"),
    "{ x *= 2;": (1, "'}' is missing"),
    "x *= 2; }": (1, "the text is no C that is read before '}'"),
    "x = (y * 2;": (1, "')' is missing"),
    "x = y * 2": (1, "the text is no C that is read before '}'"),
    "": (1, "assigns to no cell"),
    "x = " + "(" * 2000 + "y" + ")" * 2000 + "*2;": (1, "nested too deeply"),
    "x = " + "+".join("y" * 5000) + ";": (1, "nested more than"),
    "x = " + "-" * 5000 + "y;": (1, None),
    "{" * 5000: (1, "'{' is not closed"),
    'x = f(y, "a") * 2;': (1, "a text in quotes is no number"),
}


@pytest.mark.parametrize("text", IN_C)
def test_c_text_is_refused(text):
    line, message = IN_C[text]
    with pytest.raises(ProgramError) as caught:
        from_c(text)
    assert caught.value.line == line
    assert (message or "") in caught.value.message
    assert len(caught.value.message) < 250


OF_FUNCTIONS = {
    "double g(double x, ...) { return 2 * x; } void f(double *a) { a[0] = g(a[1], a[2]); }": (
        1,
        "g takes any number of arguments: write its statements here",
    ),
    "void g(double *a, int n) { for (int i = 0; i < n; i++) { a[i] *= 2; if (i > 3) return; } }"
    " void f(double *a, int n) { g(a, n); }": (
        1,
        "g returns within a loop: write the loop to its end",
    ),
    "void g(double *x, int n) { x[0] *= n; } void f(double *a) { g(a); }": (
        1,
        "g takes 2 arguments, not 1",
    ),
    "void g(double *a, int n) { a[0] *= 2; g(a, n - 1); } void f(double *a, int n) { g(a, n); }": (
        1,
        "in g, which is called: g calls itself: recursion is not read",
    ),
    "void g(double *a) { a[0] *= 2; }": (None, "no function is called 'f'; there are: g"),
}


@pytest.mark.parametrize("text", OF_FUNCTIONS)
def test_functions_that_call_others_are_refused(text):
    line, message = OF_FUNCTIONS[text]
    with pytest.raises(ProgramError) as caught:
        from_c(text, "f")
    assert (caught.value.line, caught.value.message) == (line, message)


IN_PYTHON = {
    "for i in range(n):\n  A[i * i] *= 2": (3, "index i * i is not affine"),
    "for i in range(n):\n  A[i // 2] *= 2": (3, "i // 2 is affine only where n is a number: add"),
    "for i in range(n):\n  A[i:] *= 2": (3, "a slice is not one cell"),
    "for i in range(n):\n  A[...] *= 2": (3, "a slice is not one cell"),
    "for i in range(n):\n  A[(k := i)] *= 2": (3, "is not affine"),
    "for i in range(n * n):\n  A[i] *= 2": (2, "n * n is affine only where n is a number"),
    "for i in range(A.size):\n  A[i] *= 2": (2, "is not affine"),
    "for i in range(0, n, 0):\n  A[i] *= 2": (2, "step 0 never ends"),
    "for i in range(0, n, k):\n  A[i] *= 2": (2, "step k is affine only where k is a number"),
    "for i in range(0, n, 10**50):\n  A[i] *= 2": (2, "is no constant"),
    "for i in range(max(), n):\n  A[i] *= 2": (2, "is not affine"),
    "for i in sorted(range(n)):\n  A[i] *= 2": (2, "a loop is 'for i in range"),
    "A = [A[1], A[0]]\n for i in range(n):\n  A[i] *= 2": (2, "is no expression of numbers"),
    "for i, j in range(n):\n  A[i] *= 2": (2, "a loop is 'for i in range"),
    "for i in range(n):\n  A[i] *= 2\n else:\n  A[0] *= 3": (2, "a loop is 'for i in range"),
    "for i in range(n):\n  for i in range(2):\n   A[i] *= 2": (3, "inside another loop over i"),
    "for i in range(n):\n  A[i] *= 2\n  i += 1": (4, "the loop variable i is assigned to"),
    "for i in range(n):\n  A[i] *= 2\n x = A[i] * 2": (
        4,
        "i, read behind its loop, is affine only",
    ),
    "for i in range(i, n):\n  A[i] *= 2": (2, "i is read outside of the loop over i"),
    "while x[0] > 0:\n  x[0] *= 2": (
        2,
        "'while' is not read, since how often its loop runs depends",
    ),
    "for i in range(n):\n  if A[i] > 0:\n   for j in range(3):\n    A[j] *= 2": (
        3,
        "is not affine",
    ),
    "for i in range(n):\n  for j in range(m):\n   A[j] *= 2\n  m = i": (
        3,
        "bound m is not affine: m cha",
    ),
    "for i in range(n):\n  A[m] *= 2\n  m = i": (3, "index m is not affine: m changes in a loop"),
    "if n > 3:\n  m = 2\n for i in range(n):\n  A[i + m] *= 2": (5, "index i + m is not affine"),
    "for i in range(n):\n  m = i\n A[m] *= 2": (4, "index m is not affine"),
    "x, y = y\n A[0] *= 2": (2, "one cell at a time"),
    "A[0] = x = y, z": (2, "is no expression of numbers"),
    "B = A\n B[0] *= 2": (3, "B has 1 indices here and 0 in line 2"),
    "A[0] = A[0] @ x": (2, "write the loop over its cells, or let NumPy run it on shapes"),
    "A[0] = 2 * x.T[0]": (2, "write the loop over its cells, or let NumPy run it on shapes"),
    "A[0] = [2 * x[i] for i in range(n)]": (2, "write the loop over its cells, or let NumPy run"),
    "A[0] = (t := x * 2) + t": (2, "is no expression of numbers"),
    "A[0] = [x, 2]": (2, "is no expression of numbers"),
    "A[0] = sum(x)": (2, "sum is no function of numbers"),
    "A[0] = x.sum() * 2": (2, "x.sum() reads nothing that is seen here: write the loop over"),
    "A[0] = x.dot(y) * 2": (2, "x.dot is no function of numbers"),
    "A[0] = np.dot(x, y)": (2, "np.dot is no function of numbers"),
    "A[0] = np.linalg.norm(x)": (2, "is no function of numbers"),
    "A[0] = f(x, 2)": (2, "recursion"),
    "A[0] = g(x, key=2)": (2, "more than plain values"),
    "A[0] = g(*x)": (2, "more than plain values"),
    "A[0] = 'text' * x": (2, "'text' is no number"),
    "g(A)": (2, "g is called for what it changes, which is not read: write its statements here"),
    "del A": (2, "is no loop"),
    "global x\n A[0] = x * 2": (2, "is no loop"),
    "for i in range(n):\n  if i > 2:\n   return\n  A[0] *= 2": (
        4,
        "a return before the end of the text",
    ),
    "return A\n A[0] *= 2": (2, "a return before the end"),
    "A[0] *= 2\n return A, [A[0]]": (3, "is no expression of numbers"),
    "A = np.zeros(n)\n A[0] = x * 2": (2, "A is given, and is made here"),
    "B = np.full(n, x)\n A[0] = B[0] * 2": (2, "full has a value that is computed"),
    "B = np.zeros_like(A)\n B += A": (1, "B is an array and is used without indices"),
    "B = np.zeros(n)\n B += A": (3, "B has 0 indices here and 1 where it is made"),
    "B = np.zeros(n)\n B = np.zeros(m)\n B[0] = x * 2": (3, "B is made again with other extents"),
    "B = np.zeros(n * n)\n B[0] = x * 2": (2, "n * n is affine only where n is a number"),
    "for i in range(n):\n  if A[i] > 2:\n   break\n  A[i] *= 2": (
        4,
        "'break' is not read, since how often its loop runs depends on data: write the loop to",
    ),
    "for i in range(n):\n  if i > 2:\n   break\n  A[i] *= 2": (
        4,
        "'break' is not read: write in the loop's head where it ends",
    ),
    "for t in range(n):\n  A[0] = 2 * x[0]\n  A, x = x, A\n A[1] = 2 * x[1]": (
        2,
        "a loop in which arrays change places is read only where n is a number: add n=...",
    ),
    "for i in range():\n  A[i] *= 2": (2, "range takes one to three numbers"),
    "for i in range(max(0, n, key=x), n):\n  A[i] *= 2": (2, "max is called with more than"),
    "for i in range(n):\n  for j in range(0, n, i):\n   A[j] *= 2": (3, "step i is no constant"),
    "for i in range(n):\n  if i in x:\n   A[i] *= 2": (3, "the condition 'i in x' is not affine"),
    "A[0] = g[0](x) * 2": (2, "'g[0]' is no function that is called by name"),
    "A[0] = 2 * x.y": (2, "'x.y' is no cell of an array"),
    "x.a = A[0] * 2": (2, "'x.a' is no cell of an array"),
    "A[0] *= 2\n return A * 2": (3, "A has 0 indices here and 1 in line 2: write the loop over"),
    "A[0] *= 2\n return A, 3": (3, "only arrays and scalars by name are returned"),
    "B = np.zeros(x[0])\n B[0] = A[0] * 2": (
        2,
        "extent x[0] is not affine: it depends on the data in x",
    ),
    "B = np.zeros()\n B[0] = A[0] * 2": (2, "np.zeros() has no extents"),
    "pass": (1, "assigns to no cell"),
    "A[0] = " + "+".join("x" * 1000): (2, None),
    "A[0] = " + "-" * 1000 + "x": (2, None),
    "A[0] = " + "9" * 5000 + " * x": (2, "is no Python"),
    "A[0 = x": (2, "is no Python"),
    "A[0] = x\0": (2, "is no Python: source code string cannot contain null bytes"),
    "A[9999999999999] *= 2": (2, "too large to compute with"),
    "if " + " and ".join(["(n > 1 or m > 1)"] * 40) + ":\n  A[0] *= 2": (2, "more than 64 cases"),
}


@pytest.mark.parametrize("body", IN_PYTHON)
def test_python_text_is_refused(body):
    line, message = IN_PYTHON[body]
    with pytest.raises(ProgramError) as caught:
        from_python(f"def f(A, x, y, n, m):\n {body}", "f")
    if message is not None:
        assert caught.value.line == line
    assert (message or "") in caught.value.message
    assert len(caught.value.message) < 300


def test_elif_chains_are_read_or_refused():
    chain = "".join(f" elif n == {i}:\n  A[{i}] *= 2\n" for i in range(1, 1000))
    with pytest.raises(ProgramError, match="nested"):
        from_python(f"def f(A, n):\n if n == 0:\n  A[0] *= 2\n{chain}")


def test_functions_are_found_by_name():
    text = "def f(A):\n A[0] *= 2\ndef g(A):\n A[0] *= 3"
    assert from_python(text, "g").name == "g"
    with pytest.raises(ProgramError, match=r"which function is meant\? There are: f, g"):
        from_python(text)
    with pytest.raises(ProgramError, match="no function is called 'h'; there are: f, g"):
        from_python(text, "h")
    with pytest.raises(ProgramError, match="cannot be read"):
        from_python(len)


AT_SIZES = [
    ({}, "N has no value; add N=..."),
    ({"N": 4, "K": 3}, "K is no size of trisolv; its sizes: N"),
    ({"N": 4, "live": ["Z"]}, "live: trisolv has no Z; it has L, N, b, x"),
    ({"N": 4, "constants": ["Z"]}, "constants: trisolv has no Z"),
    ({"N": 4, "level": "word"}, "level is statement or operation, not 'word'"),
    ({"N": 0}, "nothing is computed for x"),
    ({"N": -3}, "nothing is computed for x"),
    ({"N": 4, "live": ["L"]}, "nothing is computed for L"),
    ({"N": 1000, "max_vertices": 1000}, "trisolv runs more than 1000 assignments"),
    ({"N": 10**6}, "the arrays have 1000002000000 cells"),
    ({"N": 10**30}, "is too large to compute with"),
]


@pytest.mark.parametrize(("arguments", "message"), AT_SIZES)
def test_sizes_and_options_are_refused(arguments, message):
    with pytest.raises(ProgramError) as caught:
        polybench("trisolv").dag(**arguments)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        (
            "b[i] = a[i];",
            "only copies, as from a, and a copy is no vertex; with an operation, 1 * a",
        ),
        ("b[i] = 0;", "only fills cells with constants"),
    ],
)
def test_what_only_copies_or_fills_says_what_to_write(statement, message):
    text = "void f(double a[9], double b[9]) { for (int i = 0; i < 9; i++) {" + statement + "} }"
    with pytest.raises(ProgramError, match="nothing is computed for b") as caught:
        from_c(text).dag()
    assert message in str(caught.value)


OUT_OF_RANGE = [
    ("void f(double A[3]) { for (int i = 0; i < 4; i++) A[i] *= 2; }", "index 0 of A reaches 3"),
    ("for (i = 0; i < 4; i++) A[i] = A[i-1] * 2;", "index 0 of A reaches -1"),
    ("for (i = 3; i >= 0; i--) A[i] = A[i-1] * 2;", "index 0 of A reaches -1"),
    ("for (i = 0; i < 1000000000000; i++) A[0] *= 2;", "line 1: i may leave"),
    ("for (i = 0; i < 1000000000; i++) for (j = 0; j < 1000000000; j++) A[0] *= 2;", "runs more"),
    ("for (i = 0; i < 2000000000; i++) A[1000000000000*i] *= 2;", "is too large to compute with"),
    ("for (i = 1000000000; i < 1000000002; i++) A[i][i][i] *= 2;", "the arrays have 1"),
    ("double A[4194304][4194304][4194304]; A[0][0][0] *= 2;", "the arrays have 7"),
    ("for (i = 0; i < 10000000000; i += 3000000000) A[0] *= 2;", "i may leave"),
]


@pytest.mark.parametrize(("text", "message"), OUT_OF_RANGE)
def test_what_leaves_its_range_is_refused(text, message):
    with pytest.raises(ProgramError) as caught:
        from_c(text).dag()
    assert message in str(caught.value)
