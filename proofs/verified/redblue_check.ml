(* Reads files and prints verdicts. All that is decided here is what a file says: numbers, lists and
   names; whether that proves anything is decided by checker.ml, which Coq has extracted. *)
open Checker

exception Bad of string

let rec positive k = if k = 1 then XH else if k land 1 = 1 then XI (positive (k / 2)) else XO (positive (k / 2))
let natural k = if k = 0 then N0 else Npos (positive k)
let integer k = if k = 0 then Z0 else if k > 0 then Zpos (positive k) else Zneg (positive (-k))
let chunk = 1_000_000_000

(* A number of any length, from its digits. *)
let rec digits s =
  let n = String.length s in
  if n <= 9 then integer (int_of_string ("0u" ^ s))
  else Z.add (Z.mul (digits (String.sub s 0 (n - 9))) (integer chunk)) (digits (String.sub s (n - 9) 9))
let number s =
  let n = String.length s in
  let signed = n > 0 && s.[0] = '-' in
  let d = if signed then String.sub s 1 (n - 1) else s in
  if d = "" || String.length d > 20 || (String.length d > 1 && d.[0] = '0')
     || String.exists (fun c -> c < '0' || c > '9') d
  then raise (Bad (s ^ " is no integer"));
  if signed then Z.opp (digits d) else digits d
let vertex s = match number s with Z0 -> N0 | Zpos p -> Npos p | Zneg _ -> raise (Bad (s ^ " is negative"))
let rec to_int = function XH -> 1 | XO p -> 2 * to_int p | XI p -> (2 * to_int p) + 1
let rec decimal z = match z with
  | Z0 -> "0" | Zneg p -> "-" ^ decimal (Zpos p)
  | Zpos _ ->
      let q, r = Z.div_eucl z (integer chunk) in
      let low = match r with Zpos p -> to_int p | _ -> 0 in
      if q = Z0 then string_of_int low else decimal q ^ Printf.sprintf "%09d" low

(* JSON with integers alone, no key twice in an object, at most 32 levels. *)
let json text =
  let n = String.length text and i = ref 0 in
  let fail why = raise (Bad (Printf.sprintf "no JSON at byte %d: %s" !i why)) in
  let peek () = if !i < n then text.[!i] else '\000' in
  let rec blank () = match peek () with ' ' | '\n' | '\r' | '\t' -> incr i; blank () | _ -> () in
  let take c = blank (); if !i < n && peek () = c then incr i else fail (Printf.sprintf "%c is missing" c) in
  let word w v = let k = String.length w in
    if !i + k <= n && String.sub text !i k = w then (i := !i + k; v) else fail "an unknown word" in
  let name () =
    take '"';
    let b = Buffer.create 16 in
    let rec go () = if !i >= n then fail "a text without end" else match text.[!i] with
      | '"' -> incr i
      | '\\' ->
          if !i + 1 >= n then fail "a text without end";
          (match text.[!i + 1] with
           | ('"' | '\\' | '/') as c -> Buffer.add_char b c
           | ('b' | 'f' | 'n' | 'r' | 't') as c -> Buffer.add_char b '\\'; Buffer.add_char b c
           | 'u' when !i + 5 < n -> Buffer.add_string b (String.sub text !i 6); i := !i + 4
           | _ -> fail "an unknown escape");
          i := !i + 2; go ()
      | c when c < ' ' -> fail "a control character"
      | c -> Buffer.add_char b c; incr i; go () in
    go (); Buffer.contents b in
  let items close item =
    incr i; blank ();
    if peek () = close then (incr i; []) else
      let rec go acc =
        let acc = item () :: acc in
        blank ();
        if peek () = ',' then (incr i; go acc) else (take close; List.rev acc) in
      go [] in
  let rec value level =
    if level > 32 then fail "more than 32 levels";
    blank ();
    match peek () with
    | '{' ->
        let seen = Hashtbl.create 8 in
        Object (items '}' (fun () ->
          blank ();
          let key = name () in
          if Hashtbl.mem seen key then fail ("the key " ^ key ^ " is there twice");
          Hashtbl.add seen key (); take ':'; (key, value (level + 1))))
    | '[' -> Sequence (items ']' (fun () -> value (level + 1)))
    | '"' -> Text (name ())
    | 't' -> word "true" (Truth true)
    | 'f' -> word "false" (Truth false)
    | 'n' -> word "null" Null
    | _ ->
        let start = !i in
        while (match peek () with '0' .. '9' | '-' | '+' | '.' | 'e' | 'E' -> true | _ -> false) do incr i done;
        Number (number (String.sub text start (!i - start))) in
  let found = value 1 in
  blank (); if !i < n then fail "more than one value"; found

let words s = List.filter (( <> ) "") (String.split_on_char ' ' s)
let content path =
  let file = open_in_bin path in
  Fun.protect ~finally:(fun () -> close_in file) (fun () -> really_input_string file (in_channel_length file))

(* The canonical text of a DAG: a line for each vertex. *)
let dag text = match String.split_on_char '\n' text with
  | "redblue dag 1" :: count :: lines ->
      let row s = match words s with
        | size :: (("0" | "1") as output) :: operands ->
            { line_words = number size; line_output = output = "1"; line_operands = List.map vertex operands }
        | _ -> raise (Bad ("the line " ^ s ^ " is of no vertex")) in
      let rows = List.rev_map row (match List.rev lines with "" :: l -> List.rev l | _ -> lines) in
      if string_of_int (List.length rows) <> count then raise (Bad "there are not as many vertices as it says");
      List.rev rows
  | _ -> raise (Bad "no DAG: it does not begin with redblue dag 1")

let rules_name r = (if r.recompute then "recompute" else "one-shot") ^ if r.sliding then "-sliding" else ""
let check lines certificate = match verdict lines (json certificate) with
  | Good v ->
      Printf.printf "proved: with %s words of fast memory, every %s play moves at least %s words%s\n"
        (decimal v.proved_memory) (rules_name v.proved_rules) (decimal v.proved_io)
        (if v.proved_optimal then "; optimal: the certificate holds a play that moves no more" else ""); 0
  | Refused why -> Printf.printf "not proved: %s\n" why; 4
  | Beyond what -> Printf.printf "not verified: %s\n" what; 3

(* Games by the definition: a line "MEMORY RULES", then a line of moves such as "L3 C4 S4 D3". *)
let play g header moves =
  let memory, rules = match words header with
    | [m; r] -> (number m, { recompute = String.length r > 8 && String.sub r 0 9 = "recompute";
                             sliding = String.length r > 8 && Filename.check_suffix r "sliding" })
    | _ -> raise (Bad "no memory and rules") in
  let move s = let v = vertex (String.sub s 1 (String.length s - 1)) in match s.[0] with
    | 'L' -> Load v | 'S' -> Store v | 'C' -> Compute v | 'D' -> Delete v
    | _ -> raise (Bad (s ^ " is no move")) in
  let all = List.map move (words moves) in
  let rec go k state = function
    | [] -> if finished g state then decimal (cost g all) else "unfinished"
    | m :: rest -> match step rules g memory m (match rest with [] -> None | x :: _ -> Some x) state with
        | Some next -> go (k + 1) next rest
        | None -> "illegal " ^ string_of_int k in
  print_endline (go 0 (start g) all)

let () =
  try match Array.to_list Sys.argv with
    | [_; d; c] -> exit (check (dag (content d)) (content c))
    | [_; "--play"; d; p] ->
        let g = dag_of (dag (content d)) in
        let rec go = function h :: m :: rest -> play g h m; go rest | _ -> () in
        go (String.split_on_char '\n' (content p))
    | _ -> prerr_endline "usage: redblue-check DAG CERTIFICATE"; exit 2
  with Bad why -> prerr_endline why; exit 2 | Sys_error why -> prerr_endline why; exit 2
