"""Texts of chains: nests of which one makes what the next one reads, with small and real sizes."""


def text(arrays, body):
    """A C function of arrays given with their dimensions; dimensions are its sizes."""
    sizes = sorted({c for dims in arrays.values() for c in "".join(dims) if c.isalpha()})
    messages = [
        f"double {name}" + "".join(f"[{dim}]" for dim in dims) for name, dims in arrays.items()
    ]
    return f"void f({', '.join([f'int {size}' for size in sizes] + messages)}) {{\n{body}}}\n"


def local(name, *dims):
    return f"  double {name}" + "".join(f"[{dim}]" for dim in dims) + ";\n"


def loops(*pairs):
    return " ".join(f"for (int {var} = 0; {var} < {end}; {var}++)" for var, end in pairs)


def product(built, i, j, k, left, right):
    """`made` over loops i, j as a sum over k; a loop is its variable and its end."""
    cell = f"{built}[{i[0]}][{j[0]}]"
    return f"  {loops(i, j)} {{\n    {cell} = 0;\n    {loops(k)} {cell} += {left} * {right}; }}\n"


ROW, J, K, L, N = (("i", "M"), ("j", "N"), ("k", "K"), ("l", "L"), ("n", "N"))
CHAINS = {
    "two products": (
        text(
            {"A": "MK", "B": "KL", "C": "LN", "D": "MN"},
            local("T", *"ML")
            + product("T", ROW, L, K, "A[i][k]", "B[k][l]")
            + product("D", ROW, J, L, "T[i][l]", "C[l][j]"),
        ),
        "M=32,K=32,L=32,N=32",
        "M=4096,K=4096,L=4096,N=4096",
    ),
    "three products": (
        text(
            {"A": "MK", "B": "KL", "C": "LN", "D": "NP", "E": "MP"},
            local("T", *"ML")
            + local("U", *"MN")
            + product("T", ROW, L, K, "A[i][k]", "B[k][l]")
            + product("U", ROW, N, L, "T[i][l]", "C[l][n]")
            + product("E", ROW, ("p", "P"), N, "U[i][n]", "D[n][p]"),
        ),
        "M=24,K=24,L=24,N=24,P=24",
        "M=2048,K=2048,L=2048,N=2048,P=2048",
    ),
    "left and right": (
        text(
            {"A": "MK", "B": "KL", "C": "NM", "D": "NL"},
            local("T", *"ML")
            + product("T", ROW, L, K, "A[i][k]", "B[k][l]")
            + product("D", N, L, ROW, "C[n][i]", "T[i][l]"),
        ),
        "M=32,K=16,L=32,N=32",
        "M=4096,K=1024,L=4096,N=4096",
    ),
    "block": (
        text(
            {"X": "MK", "W": "KL", "b": "L", "V": "LN", "Y": "MN"},
            local("T", *"ML")
            + local("R", *"ML")
            + product("T", ROW, L, K, "X[i][k]", "W[k][l]")
            + f"  {loops(ROW, L)} R[i][l] = relu(T[i][l] + b[l]);\n"
            + product("Y", ROW, J, L, "R[i][l]", "V[l][j]"),
        ),
        "M=32,K=16,L=64,N=16",
        "M=4096,K=1024,L=4096,N=1024",
    ),
    "gated block": (
        text(
            {"X": "MK", "W": "KL", "U": "KL", "V": "LN", "Y": "MN"},
            local("T", *"ML")
            + local("G", *"ML")
            + local("R", *"ML")
            + product("T", ROW, L, K, "X[i][k]", "W[k][l]")
            + product("G", ROW, L, K, "X[i][k]", "U[k][l]")
            + f"  {loops(ROW, L)} R[i][l] = gate(T[i][l], G[i][l]);\n"
            + product("Y", ROW, J, L, "R[i][l]", "V[l][j]"),
        ),
        "M=24,K=16,L=32,N=16",
        "M=2048,K=1024,L=4096,N=1024",
    ),
    "scores and values": (
        text(
            {"Q": "MK", "k": "LK", "V": "LN", "O": "MN"},
            local("S", *"ML")
            + product("S", ROW, L, ("d", "K"), "Q[i][d]", "k[l][d]")
            + product("O", ROW, J, L, "S[i][l]", "V[l][j]"),
        ),
        "M=64,K=8,L=64,N=8",
        "M=32768,K=128,L=32768,N=128",
    ),
    "row sums": (
        text(
            {"A": "MK", "B": "KL", "s": "M"},
            local("T", *"ML")
            + product("T", ROW, L, K, "A[i][k]", "B[k][l]")
            + f"  {loops(ROW)} {{\n    s[i] = 0;\n    {loops(L)} s[i] += T[i][l]; }}\n",
        ),
        "M=32,K=32,L=32",
        "M=4096,K=1024,L=4096",
    ),
    "two filters": (
        text(
            {"x": ["H+R", "N+R"], "u": "R", "v": "R", "y": "HN"},
            local("T", "H", "N+R")
            + f"  {loops(('i', 'H'), ('j', 'N + R - 1'))} {{\n    T[i][j] = 0;\n"
            + f"    {loops(('r', 'R'))} T[i][j] += x[i + r][j] * u[r]; }}\n"
            + f"  {loops(('i', 'H'), ('j', 'N'))} {{\n    y[i][j] = 0;\n"
            + f"    {loops(('r', 'R'))} y[i][j] += T[i][j + r] * v[r]; }}\n",
        ),
        "H=64,N=64,R=5",
        "H=4096,N=4096,R=5",
    ),
    "two convolutions": (
        text(
            {"x": ["C", "N+2*R"], "w": "LCR", "v": "FLR", "y": "FN"},
            local("T", "L", "N+R")
            + f"  {loops(('l', 'L'), ('p', 'N + R - 1'))} {{\n    T[l][p] = 0;\n"
            + f"    {loops(('c', 'C'), ('r', 'R'))} T[l][p] += x[c][p + r] * w[l][c][r]; }}\n"
            + f"  {loops(('f', 'F'), ('p', 'N'))} {{\n    y[f][p] = 0;\n"
            + f"    {loops(('l', 'L'), ('r', 'R'))} y[f][p] += T[l][p + r] * v[f][l][r]; }}\n",
        ),
        "C=8,L=8,F=8,N=64,R=3",
        "C=256,L=256,F=256,N=16384,R=3",
    ),
    "depthwise and pointwise": (
        text(
            {"x": ["C", "H+R", "N+R"], "w": "CRR", "v": "FC", "y": "FHN"},
            local("T", *"CHN")
            + f"  {loops(('c', 'C'), ('i', 'H'), ('j', 'N'))} {{\n    T[c][i][j] = 0;\n"
            + f"    {loops(('r', 'R'), ('s', 'R'))}"
            + " T[c][i][j] += x[c][i + r][j + s] * w[c][r][s]; }\n"
            + f"  {loops(('f', 'F'), ('i', 'H'), ('j', 'N'))} {{\n    y[f][i][j] = 0;\n"
            + f"    {loops(('c', 'C'))} y[f][i][j] += v[f][c] * T[c][i][j]; }}\n",
        ),
        "C=8,F=8,H=12,N=12,R=3",
        "C=256,F=256,H=112,N=112,R=3",
    ),
    "softmax of scores": (
        text(
            {"Q": "MK", "k": "LK", "V": "LN", "O": "MN"},
            local("S", *"ML")
            + local("E", *"ML")
            + local("W", *"ML")
            + local("m", "M")
            + local("z", "M")
            + product("S", ROW, L, ("d", "K"), "Q[i][d]", "k[l][d]")
            + f"  {loops(ROW)} {{\n    m[i] = -1e30;\n"
            + f"    {loops(L)} m[i] = fmax(m[i], S[i][l]); }}\n"
            + f"  {loops(ROW)} {{\n    z[i] = 0;\n    {loops(L)} {{\n"
            + "      E[i][l] = exp(S[i][l] - m[i]);\n      z[i] += E[i][l]; } }\n"
            + f"  {loops(ROW, L)} W[i][l] = E[i][l] / z[i];\n"
            + product("O", ROW, J, L, "W[i][l]", "V[l][j]"),
        ),
        "M=32,K=8,L=32,N=8",
        "M=32768,K=128,L=32768,N=128",
    ),
}


def sized(message):
    """The sizes of a text like "M=2,K=3"."""
    return {name: int(value) for name, value in (part.split("=") for part in message.split(","))}
