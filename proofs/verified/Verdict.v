(* The verdict on a certificate, as docs/reference/certificate.md has the format: the checker that is
   extracted, and the theorem that it is right. *)
Require Import List NArith ZArith Bool String Lia.
From RedBlue Require Import Game Plays Compulsory Maps Dags Pieces Moments Fronts Ledger Orders Renumber Reloads Chains Held Searches Repeats Quick Products OpenSums.
Import ListNotations.
Open Scope string_scope.
Open Scope Z_scope.

Inductive json :=
| Null
| Truth (b : bool)
| Number (z : Z)
| Text (s : string)
| Sequence (l : list json)
| Object (fields : list (string * json)).

(* What comes of reading: refused for a reason, or of a kind that is not verified here. *)
Inductive answer (A : Type) := Good (a : A) | Refused (why : string) | Beyond (what : string).
Arguments Good {A} a. Arguments Refused {A} why. Arguments Beyond {A} what.
Definition bind {A B : Type} (a : answer A) (f : A -> answer B) : answer B :=
  match a with Good x => f x | Refused s => Refused s | Beyond s => Beyond s end.
Notation "x <- a ; b" := (bind a (fun x => b)) (at level 100, a at next level, right associativity).
Definition need {A : Type} (why : string) (a : option A) : answer A :=
  match a with Some x => Good x | None => Refused why end.
Definition require (why : string) (b : bool) : answer unit := if b then Good tt else Refused why.
Definition each {A B : Type} (f : A -> answer B) (l : list A) : answer (list B) :=
  bind (fold_left (fun acc x => ys <- acc ; y <- f x ; Good (y :: ys)) l (Good []))
    (fun ys => Good (rev_append ys [])).

Definition largest : Z := 2 ^ 62.
Definition field (j : json) (name : string) : answer json :=
  match j with
  | Object fs => match List.find (fun f => (fst f =? name)%string) fs with
                 | Some f => Good (snd f) | None => Refused (name ++ " is missing") end
  | _ => Refused (name ++ ": no object")
  end.
Definition only (j : json) (names : list string) : answer unit :=
  match j with
  | Object fs =>
      match List.find (fun f => negb (existsb (fun n => (n =? fst f)%string) names)) fs with
      | Some f => Refused (fst f ++ " does not belong here")
      | None => Good tt
      end
  | _ => Refused "no object"
  end.
Definition has_field (j : json) (name : string) : bool :=
  match j with Object fs => existsb (fun f => (fst f =? name)%string) fs | _ => false end.
Definition number (j : json) (name : string) : answer Z :=
  x <- field j name ; match x with
  | Number z => if (- largest <=? z) && (z <=? largest) then Good z else Refused (name ++ " is too large")
  | _ => Refused (name ++ " is no integer") end.
Definition text (j : json) (name : string) : answer string :=
  x <- field j name ; match x with Text s => Good s | _ => Refused (name ++ " is no text") end.
Definition sequence (j : json) (name : string) : answer (list json) :=
  x <- field j name ; match x with Sequence l => Good l | _ => Refused (name ++ " is no list") end.
Definition integers (j : json) (name : string) : answer (list Z) :=
  l <- sequence j name ;
  each (fun x => match x with
    | Number z => if (- largest <=? z) && (z <=? largest) then Good z else Refused (name ++ " has a number that is too large")
    | _ => Refused (name ++ " is no list of integers") end) l.
Definition naturals (j : json) (name : string) : answer (list N) :=
  l <- integers j name ;
  each (fun z => if 0 <=? z then Good (Z.to_N z) else Refused (name ++ " has a negative number")) l.

Definition rules_named (s : string) : answer rules :=
  if (s =? "one-shot")%string then Good {| recompute := false; sliding := false |}
  else if (s =? "one-shot-sliding")%string then Good {| recompute := false; sliding := true |}
  else if (s =? "recompute")%string then Good {| recompute := true; sliding := false |}
  else if (s =? "recompute-sliding")%string then Good {| recompute := true; sliding := true |}
  else if (s =? "partial")%string then Beyond "the rules partial"
  else Refused "rules have another name".

(* Parts. *)
Inductive form := Plain | Shared | Staged.
Definition flow_fields : list string := ["edges"; "amounts"; "closures"; "returns"].
Definition read_flow (j : json) (fs : list N) : answer case :=
  e <- naturals j "edges" ; a <- integers j "amounts" ; c <- naturals j "closures" ; t <- integers j "returns" ;
  Good {| first := fs; edges := e; amounts := a; closures := c; returns := t |}.
Definition read_case (j : json) : answer case :=
  _ <- only j ("first" :: flow_fields) ; f <- naturals j "first" ; read_flow j f.
Definition most_cases : nat := N.to_nat 1048576.
Definition read_part (f : form) (j : json) : answer part :=
  _ <- only j (["vertices"; "proof"; "data"] ++ match f with Plain => [] | _ => ["share"] end)%list ;
  vs <- field j "vertices" ;
  within <- match vs with
    | Text s => if (s =? "all")%string then Good None else Refused "vertices are no list"
    | _ => l <- naturals j "vertices" ; Good (Some l) end ;
  share <- match f with Plain => Good 1 | _ => number j "share" end ;
  _ <- require "share is less than 1" (1 <=? share) ;
  kind <- text j "proof" ;
  d <- field j "data" ;
  let wave := (kind =? "wavefront")%string || (kind =? "moment")%string in
  let moment := (kind =? "moment")%string
    || match f with Staged => (kind =? "front")%string | _ => (kind =? "front-moment")%string end in
  let quotas := match f with Staged => if moment then ["stored"; "loaded"] else [] | _ => [] end in
  usage <- (if moment then
    match f with
    | Staged => s <- naturals d "stored" ; l <- naturals d "loaded" ; Good (Moment s l)
    | _ => Good (Moment [] [])
    end else Good All) ;
  if wave then
    _ <- only d (["vertex"; "price"] ++ flow_fields ++ quotas)%list ;
    x <- number d "vertex" ; p <- number d "price" ;
    _ <- require "vertex is negative" (0 <=? x) ;
    _ <- require "price is neither 1 nor 2" ((1 <=? p) && (p <=? 2)) ;
    c <- read_flow d [Z.to_N x] ;
    Good {| within := within; share := share; usage := usage; alone := true; part_price := p;
            front := [Z.to_N x]; cases := [c] |}
  else if (kind =? "front")%string || (kind =? "front-moment")%string then
    _ <- only d (["front"; "price"; "cases"] ++ quotas)%list ;
    x <- naturals d "front" ; p <- number d "price" ; cs <- sequence d "cases" ;
    _ <- require "price is neither 1 nor 2" ((1 <=? p) && (p <=? 2)) ;
    l <- each read_case cs ;
    Good {| within := within; share := share; usage := usage; alone := false; part_price := p;
            front := x; cases := l |}
  else Beyond ("the proof " ++ kind).

(* Moments of one order: places of stages stand for rows of loads. *)
Inductive entry := Front (pt : part) | Ordered (o : order_moment) | Again (pt : reload_part) | Searched (pt : search_part).
Record stages := {
  stage_row : map row;
  stage_count : N
}.
Definition stages_of (g : dag) (readers : map (list N)) : stages :=
  let st := fold_left (fun nm v =>
      fold_left (fun nm i => (N.succ (fst nm), put (snd nm) (fst nm) (v, i + 1)%N))
        (span 0 (N.of_nat (List.length (chosen readers v)))) nm) (below (size g)) (0%N, empty row) in
  {| stage_row := snd st; stage_count := fst st |}.
Definition amounts_within (least most : Z) (l : list Z) : bool := forallb (fun a => (least <=? a) && (a <=? most)) l.
Fixpoint zip {A B : Type} (a : list A) (b : list B) (acc : list (A * B)) : answer (list (A * B)) :=
  match a, b with
  | [], [] => Good acc
  | x :: a', y :: b' => zip a' b' ((x, y) :: acc)
  | _, _ => Refused "there are not as many amounts as places"
  end.
Definition read_order (g : dag) (edges_ : N) (M : Z) (all : Z) (st : stages) (d : json) : answer order_moment :=
  _ <- only d (["vertex"; "price"; "stored"; "stores"; "stages"; "charges"; "tied"; "slopes"] ++ flow_fields)%list ;
  x <- number d "vertex" ; p <- number d "price" ;
  _ <- require "vertex is negative" (0 <=? x) ;
  _ <- require "price is negative, or too large" ((0 <=? p) && (p * (all + M) <=? most_flow / (Z.of_N edges_ + 1))) ;
  c <- read_flow d [] ;
  s <- naturals d "stored" ; sa <- integers d "stores" ;
  t <- naturals d "stages" ; ta <- integers d "charges" ;
  k <- naturals d "tied" ; ka <- integers d "slopes" ;
  let most := most_flow / (Z.of_N (size g) + 1) in
  _ <- require "stored, stages or tied do not rise" (rising 0 (size g) s && rising 0 (stage_count st) t && rising 0 (size g) k) ;
  _ <- require "stores are too large" (amounts_within 0 most sa) ;
  _ <- require "charges are too large" (amounts_within 0 (most_flow / (Z.of_N (stage_count st) + 1)) ta) ;
  _ <- require "slopes are too large" (amounts_within (- most) most ka) ;
  rows <- need "no such stage" (all_of (find (stage_row st)) t) ;
  stores <- zip s sa [] ; charges <- zip (rev_append rows []) ta [] ; slopes <- zip k ka [] ;
  Good {| at_vertex := Z.to_N x; at_price := p; flow_at := c; stores_at := stores; charges_at := charges; slopes_at := slopes |}.
Definition read_window (j : json) : answer window :=
  _ <- only j ["front"; "edges"; "amounts"] ;
  f <- naturals j "front" ; e <- naturals j "edges" ; a <- integers j "amounts" ;
  Good {| window_front := f; window_edges := e; window_amounts := a |}.
Definition read_again (f : form) (j : json) : answer reload_part :=
  _ <- only j (["vertices"; "proof"; "data"] ++ match f with Plain => [] | _ => ["share"] end)%list ;
  vs <- field j "vertices" ;
  within <- match vs with
    | Text s => if (s =? "all")%string then Good None else Refused "vertices are no list"
    | _ => l <- naturals j "vertices" ; Good (Some l) end ;
  share <- match f with Plain => Good 1 | _ => number j "share" end ;
  _ <- require "share is less than 1" (1 <=? share) ;
  d <- field j "data" ; _ <- only d ["windows"] ; ws <- sequence d "windows" ;
  _ <- require "there are no windows" (match ws with [] => false | _ => true end) ;
  l <- each read_window ws ;
  Good {| reload_within := within; reload_share := share; reload_windows := l |}.
Definition read_search (f : form) (j : json) : answer search_part :=
  _ <- only j (["vertices"; "proof"; "data"] ++ match f with Plain => [] | _ => ["share"] end)%list ;
  vs <- field j "vertices" ;
  within <- match vs with
    | Text s => if (s =? "all")%string then Good None else Refused "vertices are no list"
    | _ => l <- naturals j "vertices" ; Good (Some l) end ;
  share <- match f with Plain => Good 1 | _ => number j "share" end ;
  _ <- require "share is less than 1" (1 <=? share) ;
  d <- field j "data" ; _ <- only d ["excess"; "states"] ;
  _ <- (if has_field d "states" then z <- number d "states" ; require "states are negative" (0 <=? z) else Good tt) ;
  e <- number d "excess" ; _ <- require "excess is negative" (0 <=? e) ;
  Good {| search_within := within; search_share := share; claimed := e |}.
Definition read_entry (g : dag) (edges_ : N) (M : Z) (all : Z) (st : stages) (f : form) (j : json) : answer entry :=
  kind <- text j "proof" ;
  if (kind =? "reloads")%string then pt <- read_again f j ; Good (Again pt)
  else if (kind =? "exact")%string then pt <- read_search f j ; Good (Searched pt) else
  match f with
  | Staged =>
      if (kind =? "order")%string then
        _ <- only j ["vertices"; "proof"; "data"; "share"] ;
        share <- number j "share" ; _ <- require "order has a share that is not 1" (share =? 1) ;
        vs <- field j "vertices" ;
        _ <- match vs with
          | Text s => require "vertices are no list" (s =? "all")%string
          | _ => l <- naturals j "vertices" ;
                 require "order is of a part" (rising 0 (size g) l && (N.of_nat (List.length l) =? size g)%N) end ;
        d <- field j "data" ; o <- read_order g edges_ M all st d ; Good (Ordered o)
      else pt <- read_part f j ; Good (Front pt)
  | _ => pt <- read_part f j ; Good (Front pt)
  end.
Definition fronts_of (l : list entry) : list part :=
  rev_append (fold_left (fun acc e => match e with Front pt => pt :: acc | _ => acc end) l []) [].
Definition orders_of (l : list entry) : list order_moment :=
  rev_append (fold_left (fun acc e => match e with Ordered o => o :: acc | _ => acc end) l []) [].
Definition agains_of (l : list entry) : list reload_part :=
  rev_append (fold_left (fun acc e => match e with Again pt => pt :: acc | _ => acc end) l []) [].
Definition searches_of (l : list entry) : list search_part :=
  rev_append (fold_left (fun acc e => match e with Searched pt => pt :: acc | _ => acc end) l []) [].
Definition searched_part (r : rules) (g : dag) (M : Z) (whole : piece) (readers : map (list N)) (pt : search_part)
  : answer (Z * list (row * Z)) :=
  match (if recompute r then enter_repeats r g M whole readers pt else enter_search r g M whole readers pt) with
  | (Shown, shown) => Good shown
  | (Cheaper, _) => if sliding r then Beyond "the proof exact where results slide, and a search beside the rules finds less" else
      Refused "a search finds a play that exceeds the compulsory words by less, or the piece is too large"
  | (Large, _) => Beyond "the proof exact where the search has so many states"
  end.
Definition most_due : N := 8388608.

(* Chosen readers of values, value by value. *)
Fixpoint read_by_rows (g : dag) (owners readers : list N) (m : map (list N)) : option (map (list N)) :=
  match owners, readers with
  | [], [] => Some m
  | v :: os, w :: rs =>
      if mem v (operands g w) && (w <? size g)%N
      then read_by_rows g os rs (put m v (w :: match find m v with Some l => l | None => [] end))
      else None
  | _, _ => None
  end.
Fixpoint rows_rise (owners readers : list N) : bool :=
  match owners, readers with
  | v :: (v' :: _) as os, w :: (w' :: _) as rs =>
      ((v <? v')%N || ((v =? v')%N && (w <? w')%N)) && rows_rise os rs
  | _, _ => true
  end.
Definition most_staged : N := 4096.

Record context := {
  graph : dag;
  reads : map unit;
  whole : piece;
  useful : Z                    (* the memory that a play can use *)
}.
Definition most_denominator (g : dag) : Z :=
  2 ^ 61 / (8 * fold_left (fun most v => Z.max most (words g v)) (below (size g)) 1).
Definition least_words (c : context) : Z := compulsory_sum (graph c) (reads c).
Definition parts_bound (c : context) (r : rules) (f : form) (d : json) : answer Z :=
  _ <- only d (["parts"] ++ match f with Plain => [] | Shared => ["denominator"]
                            | Staged => ["denominator"; "owners"; "readers"] end)%list ;
  den <- match f with Plain => Good 1 | _ => number d "denominator" end ;
  _ <- require "denominator is less than 1, or too large" ((1 <=? den) && (den <=? most_denominator (graph c))) ;
  rows <- match f with
    | Staged => o <- naturals d "owners" ; w <- naturals d "readers" ;
                _ <- require "there are too many vertices for stages"
                       (match o with [] => true | _ => (size (graph c) <=? most_staged)%N end) ;
                _ <- require "owners and readers do not rise" (rows_rise o w) ;
                m <- need "readers do not all read their values" (read_by_rows (graph c) o w (empty (list N))) ;
                Good (m, match o with [] => false | _ => true end)
    | _ => Good (empty (list N), false) end ;
  ps <- sequence d "parts" ;
  let all := all_words (graph c) in
  let st := stages_of (graph c) (fst rows) in
  es <- each (read_entry (graph c) (edge_count (whole c)) (useful c) all st f) ps ;
  let l := fronts_of es in
  let os := orders_of es in
  let rs := agains_of es in
  let ss := searches_of es in
  _ <- require "a share is more than all" (forallb (fun pt => share pt <=? 2 * den) l
         && forallb (fun pt => reload_share pt <=? 2 * den) rs && forallb (fun pt => search_share pt <=? 2 * den) ss) ;
  _ <- require "there are more moments than can be added up" (N.of_nat (List.length os) * size (graph c) <=? most_due)%N ;
  _ <- require "a proof holds only where each value is computed once"
         (negb (recompute r) || match l, os with [], [] => true | _, _ => false end) ;
  s <- need "a part does not hold" (sum_parts r (graph c) (useful c) (whole c) (fst rows) (snd rows) l) ;
  o <- need "moments of one order do not hold" (of_order r (graph c) (useful c) (whole c) (fst rows) (snd rows) os) ;
  a <- need "loads after fronts do not hold" (gather (enter_reloads r (graph c) (useful c) (whole c) (fst rows)) rs) ;
  shown <- each (searched_part r (graph c) (useful c) (whole c) (fst rows)) ss ;
  _ <- require "a vertex is used more than once in all"
         (limits (graph c) den (rev_append (spread snd shown) (rev_append (snd a) (rev_append (snd o) (snd s))))) ;
  Good (least_words c + Z.max 0 (- ((- (fst s + fst o + fst a + total fst shown)) / den))).
(* Moments with windows, in the stages of a chain. *)
Definition most_chain : nat := 256.
Definition most_windows : Z := 4096.
Definition read_chain_window (g : dag) (j : json) : answer chain_window :=
  _ <- only j ["end"; "edges"; "amounts"; "stored"; "parts"] ;
  y <- number j "end" ; _ <- require "end is less than -1" (-1 <=? y) ;
  e <- naturals j "edges" ; a <- integers j "amounts" ; s <- naturals j "stored" ; ps <- integers j "parts" ;
  _ <- require "stored does not rise" (rising 0 (size g) s) ;
  pairs <- zip s ps [] ;
  Good {| last_vertex := if y =? -1 then None else Some (Z.to_N y); chain_edges := e; chain_amounts := a;
          paid_stores := rev_append pairs [] |}.
Definition read_chain_moment (g : dag) (j : json) : answer chain_moment :=
  _ <- only j ["vertex"; "price"; "windows"] ;
  x <- number j "vertex" ; p <- number j "price" ; ws <- sequence j "windows" ;
  _ <- require "vertex is negative" (0 <=? x) ; _ <- require "price is negative" (0 <=? p) ;
  l <- each (read_chain_window g) ws ;
  Good {| moment_vertex := Z.to_N x; moment_price := p; moment_windows := l |}.
Fixpoint ancestors_follow (above_of : N -> N -> bool) (l : list N) : bool :=
  match l with v :: (w :: _) as rest => above_of w v && ancestors_follow above_of rest | _ => true end.
Definition chains_bound (c : context) (r : rules) (d : json) : answer Z :=
  let g := graph c in
  _ <- only d ["chain"; "denominator"; "moments"] ;
  ch <- naturals d "chain" ; den <- number d "denominator" ; ms <- sequence d "moments" ;
  _ <- require "denominator is less than 1, or too large"
         ((1 <=? den) && (den * all_words g <=? most_flow / (Z.of_N (edge_count (whole c)) + 1))) ;
  _ <- require "there are too many vertices for stages" (size g <=? most_staged)%N ;
  _ <- require "chain is too long" (List.length ch <=? most_chain)%nat ;
  _ <- require "chain has a vertex that is not computed" (forallb (fun v => (v <? size g)%N && negb (is_input g v)) ch) ;
  _ <- require "a vertex of the chain is no ancestor of the next one"
         (ancestors_follow (fun w => common g (whole c) [w]) ch) ;
  l <- each (read_chain_moment g) ms ;
  _ <- require "there are too many windows"
         (total (fun o => Z.of_nat (List.length (moment_windows o))) l <=? most_windows) ;
  s <- need "a moment does not hold" (gather (enter_chain r g (useful c) (whole c) ch) l) ;
  _ <- require "a value is used more than once in all" (limits g den (snd s)) ;
  Good (least_words c - (- fst s) / den).
Definition half_each : list string := ["a"; "b"; "c"].
Definition read_update_window (j : json) : answer (Z * N) :=
  _ <- only j ["size"; "count"; "exponents"] ;
  s <- number j "size" ; n <- number j "count" ; e <- field j "exponents" ;
  _ <- require "windows have a size or a number that is less than 1" ((1 <=? s) && (1 <=? n)) ;
  _ <- only e half_each ;
  _ <- each (fun x => v <- text e x ; if (v =? "1/2")%string then Good tt else Beyond "the kind projections with other exponents")
         half_each ;
  Good (s, Z.to_N n).
Definition known_as (wanted said what : string) : answer unit :=
  if (said =? wanted)%string then Good tt else Beyond (what ++ said).
Definition projections_bound (c : context) (r : rules) (d : json) : answer Z :=
  let g := graph c in
  let vs := below (size g) in
  _ <- only d ["argument"; "family"; "params"; "windows"] ;
  a <- text d "argument" ; _ <- known_as "segments" a "the kind projections with the argument " ;
  f <- text d "family" ; _ <- known_as "matmul" f "the kind projections of the family " ;
  ps <- field d "params" ; _ <- only ps ["form"; "m"; "n"; "k"] ;
  form <- text ps "form" ; _ <- known_as "fma" form "the kind projections of products of the form " ;
  m <- number ps "m" ; n <- number ps "n" ; k <- number ps "k" ;
  let s := {| rows_ := Z.to_N m; columns_ := Z.to_N n; layers_ := Z.to_N k |} in
  _ <- (if recompute r then Beyond "the kind projections where values may be computed again" else Good tt) ;
  ws <- sequence d "windows" ; _ <- require "there are too many windows" (List.length ws <=? 4)%nat ;
  l <- each read_update_window ws ;
  _ <- (if is_product g s vs then Good tt else Beyond "the kind projections of other DAGs than products of values of one word") ;
  _ <- require "windows have not all updates" (good_windows g vs l) ;
  Good (product_sum r (useful c) l).
(* Windows of products by the sums that are open where they are cut. *)
Definition most_entries : N := 2048.
Definition most_cuts : N := 1024.
Definition most_open : Z := 1024.
Definition most_steps : Z := 2 ^ 24.
Definition playable (r : rules) (g : dag) (M : Z) (vs : list N) : bool :=
  forallb (fun v => Z.of_nat (List.length (operands g v)) + (if sliding r && negb (is_input g v) then 0 else 1) <=? M) vs.
Definition positive_number (d : json) (name : string) : answer N :=
  z <- number d name ; _ <- require (name ++ " is less than 1") (1 <=? z) ; Good (Z.to_N z).
Definition open_chains_bound (c : context) (r : rules) (d : json) : answer Z :=
  let g := graph c in
  let vs := below (size g) in
  _ <- only d ["m"; "n"; "k"; "windows"] ;
  m <- positive_number d "m" ; n <- positive_number d "n" ; k <- positive_number d "k" ; w <- positive_number d "windows" ;
  let s := {| rows_ := m; columns_ := n; layers_ := k |} in
  _ <- (if recompute r then Beyond "the kind open-chains where values may be computed again" else Good tt) ;
  _ <- require "nothing can be played with so little memory" (playable r g (useful c) vs) ;
  _ <- require "there are too many entries or windows"
         ((m * n <=? most_entries) && (w <=? most_cuts) && (w <=? m * n * k))%N ;
  _ <- require "m, n and k are not those of this DAG" (is_chained g s vs) ;
  let sums := Z.min (held r (useful c)) (Z.of_N (m * n)) in
  _ <- (if (sums <=? most_open) && (Z.of_N w * sums * sums <=? most_steps) then Good tt
        else Beyond "the kind open-chains where so many sums can be open") ;
  _ <- require "windows have not all updates" (good_open g s vs w) ;
  Good (open_sum_of s r (useful c) w).
Definition bound_of (c : context) (r : rules) (kind : string) (d : json) : answer Z :=
  if (kind =? "compulsory")%string then _ <- only d [] ; Good (least_words c)
  else if (kind =? "parts")%string then parts_bound c r Plain d
  else if (kind =? "shares")%string then parts_bound c r Shared d
  else if (kind =? "staged")%string then parts_bound c r Staged d
  else if (kind =? "reload-windows")%string then chains_bound c r d
  else if (kind =? "projections")%string then projections_bound c r d
  else if (kind =? "open-chains")%string then open_chains_bound c r d
  else Beyond ("the kind " ++ kind).

(* A DAG with what is known of it; the memory that a play can use. *)
Definition context_of (g : dag) (reads : map unit) (memory : Z) : context :=
  {| graph := g; reads := reads; whole := cut g (below (size g)); useful := Z.min memory (all_words g) |}.
Definition bound_anyhow (c : context) (r : rules) (memory : Z) (kind : string) (d : json) : answer Z :=
  if (kind =? "renumbered")%string then
    _ <- only d ["kind"; "data"; "vertex"] ;
    k <- text d "kind" ; inner <- field d "data" ; l <- naturals d "vertex" ;
    _ <- require "vertex is no list of all vertices" (permutation (size (graph c)) l) ;
    let h := dag_of (new_lines (graph c) l (places_of l)) in
    let reads_h := readers_table h in
    _ <- require "under the new numbers operands do not come first" (well_formed h reads_h) ;
    bound_of (context_of h reads_h memory) r k inner
  else bound_of c r kind d.

(* The play that moves no more than is proved. *)
Definition move_of (op v : N) : answer move :=
  if (op =? 0)%N then Good (Load v) else if (op =? 1)%N then Good (Store v)
  else if (op =? 2)%N then Good (Compute v) else if (op =? 3)%N then Good (Delete v) else Refused "op has an unknown move".
Definition met (c : context) (r : rules) (d : json) (b : Z) : answer bool :=
  o <- naturals d "op" ; v <- naturals d "vertex" ;
  pairs <- zip o v [] ;
  moves <- each (fun ov => move_of (fst ov) (snd ov)) (rev_append pairs []) ;
  match quick_run r (graph c) (useful c) moves (quick_start (graph c)) with
  | Some t => _ <- require "the play leaves an output" (quick_finished (graph c) t) ;
              _ <- require "the play moves another number of words" (total (price (graph c)) moves =? b) ; Good true
  | None => Refused "the play is illegal"
  end.

Record proved := { proved_memory : Z; proved_rules : rules; proved_io : Z; proved_optimal : bool }.
Definition outer_fields : list string :=
  ["format"; "dag"; "method"; "memory"; "rules"; "io"; "kind"; "data"; "seal"].
Definition verdict (lines : list line) (j : json) : answer proved :=
  let g := dag_of lines in
  let reads := readers_table g in
  _ <- require "the DAG is none" (well_formed g reads) ;
  _ <- only j outer_fields ;
  format <- text j "format" ;
  _ <- require "the format is another one" (format =? "redblue certificate 1")%string ;
  memory <- number j "memory" ; rs <- text j "rules" ; io <- number j "io" ;
  _ <- require "memory is negative" (0 <=? memory) ;
  r <- rules_named rs ;
  kind <- text j "kind" ; d <- field j "data" ;
  let c := context_of g reads memory in
  bo <- (if (kind =? "optimum")%string then
           _ <- only d ["kind"; "data"; "op"; "vertex"] ;
           k <- text d "kind" ; inner <- field d "data" ;
           b <- bound_anyhow c r memory k inner ; o <- met c r d b ; Good (b, o)
         else b <- bound_anyhow c r memory kind d ; Good (b, false)) ;
  _ <- require "io is another number than the certificate proves" (io =? fst bo) ;
  Good {| proved_memory := memory; proved_rules := r; proved_io := io; proved_optimal := snd bo |}.

(* Soundness. *)
Ltac good H := match type of H with
  | bind ?a _ = Good _ => let E := fresh "E" in destruct a eqn:E; simpl in H; [|discriminate|discriminate]
  end.
Lemma require_true : forall why b x, require why b = Good x -> b = true.
Proof. intros why b x H. unfold require in H. destruct b; [reflexivity | discriminate]. Qed.
Lemma need_some : forall A why (a : option A) x, need why a = Good x -> a = Some x.
Proof. intros A why [y|] x H; [injection H as ->; reflexivity | discriminate]. Qed.
Lemma each_spec : forall A B (f : A -> answer B) l ys, each f l = Good ys -> forall y, In y ys -> exists x, f x = Good y.
Proof.
  intros A B f l ys H. unfold each in H.
  assert (G : forall l acc zs, fold_left (fun acc x => zs <- acc ; y <- f x ; Good (y :: zs)) l acc = Good zs ->
    (forall bs, acc = Good bs -> forall y, In y bs -> exists x, f x = Good y) -> forall y, In y zs -> exists x, f x = Good y).
  { induction l0 as [|x k IH]; intros acc zs Q Acc; cbn [fold_left] in Q; [apply Acc, Q|].
    apply (IH _ _ Q). intros bs E y I. destruct acc as [cs| |]; cbn [bind] in E; try discriminate.
    destruct (f x) as [z| |] eqn:F; cbn [bind] in E; try discriminate. injection E as <-.
    destruct I as [<- | I]; [eauto | eapply Acc; eauto]. }
  destruct (fold_left _ l (Good [])) as [zs| |] eqn:Q; cbn [bind] in H; try discriminate. injection H as <-.
  intros y I. rewrite rev_append_rev, app_nil_r, <- in_rev in I. apply (G l _ zs Q); [|exact I].
  intros bs E. injection E as <-. intros z [].
Qed.
Lemma read_by_rows_sound : forall g owners readers m m', read_by_rows g owners readers m = Some m' ->
  (forall v w, In w (chosen m v) -> In v (operands g w) /\ (w < size g)%N) ->
  forall v w, In w (chosen m' v) -> In v (operands g w) /\ (w < size g)%N.
Proof.
  intros g. induction owners as [|o owners IH]; intros [|w readers] m m' H; simpl in H; try discriminate.
  - injection H as <-. auto.
  - destruct (mem o (operands g w) && (w <? size g)%N) eqn:E; [|discriminate]. intros B.
    apply andb_prop in E. destruct E as (E & L). apply N.ltb_lt in L. apply (IH _ _ _ H).
    intros v x I. unfold chosen in I. rewrite find_put in I. destruct (N.eqb_spec o v) as [-> | _]; [|apply B; exact I].
    destruct I as [<- | I]; [split; [apply mem_In, E | exact L] | apply B; exact I].
Qed.
Lemma below_rises : forall n, rising 0 n (below n) = true.
Proof.
  intros n. unfold below. set (f := fun kl : N * list N => let k := N.pred (fst kl) in (k, k :: snd kl)).
  assert (G : forall j, (j <= n)%N -> let s := N.iter j f (n, []) in fst s = (n - j)%N /\ rising (n - j) n (snd s) = true).
  { induction j as [|j IH] using N.peano_ind; intros L.
    - simpl. split; [lia | reflexivity].
    - rewrite N.iter_succ. destruct (IH ltac:(lia)) as (A & B). simpl. rewrite A. split; [lia|].
      apply andb_true_intro. split; [apply andb_true_intro; split; [apply N.leb_le; lia | apply N.ltb_lt; lia]|].
      replace (N.succ (N.pred (n - j))) with (n - j)%N by lia. exact B. }
  destruct (G n ltac:(lia)) as (_ & B). rewrite N.sub_diag in B. exact B.
Qed.

Section Sound.
Variables (g : dag) (r : rules) (memory : Z).
Hypothesis S : sound g.
Hypothesis some_memory : 0 <= memory.
Let c := {| graph := g; reads := readers_table g; whole := cut g (below (size g));
            useful := Z.min memory (all_words g) |}.
Lemma useful_nonneg : 0 <= useful c.
Proof.
  simpl. apply Z.min_glb; [exact some_memory|]. unfold all_words. rewrite total_sum. apply sum_nonneg.
  intros v I. apply below_spec in I. pose proof (positive g S v I). lia.
Qed.
Lemma parts_bound_sound : forall f d b, parts_bound c r f d = Good b ->
  forall p, wins r g (useful c) p -> b <= cost g p.
Proof.
  intros f d b H p W. unfold parts_bound in H. repeat good H. injection H as <-.
  match goal with Q : match f with Plain => Good (empty _, false) | _ => _ end = Good ?x |- _ =>
    destruct x as (m & staged); rename Q into Rows end.
  match goal with Q : require _ ((1 <=? ?x) && _) = Good _ |- _ => set (den := x) in *; rename Q into Den end.
  match goal with Q : need _ (sum_parts _ _ _ _ _ _ ?x) = Good ?y |- _ =>
    set (l := x) in *; destruct y as (t1 & c1); rename Q into Sum end.
  match goal with Q : need _ (of_order _ _ _ _ _ _ ?x) = Good ?y |- _ =>
    set (os := x) in *; destruct y as (t2 & c2); rename Q into Ord end.
  match goal with Q : need _ (gather _ ?x) = Good ?y |- _ =>
    set (rs := x) in *; destruct y as (t3 & c3); rename Q into Rel end.
  match goal with Q : each (searched_part _ _ _ _ _) _ = Good ?y |- _ => set (shown := y) in *; rename Q into Sea end.
  match goal with Q : require _ (limits _ _ _) = Good _ |- _ => rename Q into Lim end.
  match goal with Q : require _ (negb (recompute r) || _) = Good _ |- _ => rename Q into Once end.
  apply require_true in Den, Lim, Once. apply need_some in Sum. apply need_some in Ord. apply need_some in Rel.
  apply andb_prop in Den. destruct Den as (Den & _). apply Z.leb_le in Den. cbn [fst snd] in *.
  pose proof (compulsory_sum_most g S) as K.
  assert (C : (forall v w, In w (chosen m v) -> In v (operands g w) /\ (w < size g)%N) /\ (staged = false -> forall v, chosen m v = [])).
  { assert (Z : forall v, chosen (empty (list N)) v = []) by (intros v; unfold chosen; rewrite find_empty; reflexivity).
    destruct f.
    - injection Rows as <- <-. split; [intros v w I; rewrite Z in I; destruct I | auto].
    - injection Rows as <- <-. split; [intros v w I; rewrite Z in I; destruct I | auto].
    - repeat good Rows. injection Rows as <- <-.
      match goal with Q : need _ (read_by_rows _ ?os ?ws _) = Good _ |- _ => apply need_some in Q; rename Q into Read;
        destruct os eqn:Os end.
      + split.
        * apply (read_by_rows_sound _ _ _ _ _ Read). intros v w I. rewrite Z in I. destruct I.
        * intros _ v. simpl in Read. match type of Read with match ?ws with _ => _ end = _ => destruct ws end;
            [|discriminate]. injection Read as <-. apply Z.
      + split; [|discriminate]. apply (read_by_rows_sound _ _ _ _ _ Read). intros v w I. rewrite Z in I. destruct I. }
  destruct C as (C1 & C2). unfold least_words. simpl graph. simpl reads.
  assert (O : recompute r = false \/ (l = [] /\ os = [])).
  { apply orb_prop in Once. destruct Once as [O | O]; [left; apply negb_true_iff, O|]. right.
    destruct l; [|discriminate]. destruct os; [auto | discriminate]. }
  assert (Fo : 2 * total fst shown <= sum (charge_of (spread snd shown)) (events g (Ledger.chosen m) p)
    /\ forall ra, In ra (spread snd shown) -> (fst (fst ra) < size g)%N /\ 0 <= snd ra).
  { apply all_searched. intros (k & ch) I. destruct (each_spec _ _ _ _ _ Sea _ I) as (pt & Q). unfold searched_part in Q.
    cbn [graph useful whole c] in Q. cbn [fst] in Q. destruct W as (t & H & F).
    destruct (if recompute r then _ else _) as ([] & sh) eqn:En in Q; [|destruct (sliding r); discriminate | discriminate]. injection Q as ->.
    destruct (recompute r) eqn:Rc.
    - exact (repeats_sound r g _ _ m S useful_nonneg (cut_proper g _ (below_rises (size g))) p t H F pt k ch En).
    - exact (search_sound r g _ _ m S useful_nonneg (cut_proper g _ (below_rises (size g))) p t H F Rc pt k ch En). }
  pose proof (all_entries_sound r g (useful c) (whole c) m staged l os rs den t1 c1 t2 c2 t3 c3 (total fst shown) (spread snd shown) p
    O S useful_nonneg C1 C2
    (cut_proper g _ (below_rises (size g))) (fun v L => proj2 (proj2 (below_spec (size g)) v) L) ltac:(lia) Sum Ord Rel Fo Lim W). lia.
Qed.
Lemma chains_bound_sound : forall d b, chains_bound c r d = Good b -> forall p, wins r g (useful c) p -> b <= cost g p.
Proof.
  intros d b H p W. unfold chains_bound in H. repeat good H. injection H as <-.
  repeat match goal with Q : require _ _ = Good _ |- _ => apply require_true in Q end.
  match goal with Q : need _ (gather _ _) = Good ?y |- _ => apply need_some in Q; destruct y as (t1 & c1); rename Q into Sum end.
  match goal with Q : (1 <=? _) && _ = true |- _ => apply andb_prop in Q; destruct Q as (Den & _); apply Z.leb_le in Den end.
  match goal with Q : forallb _ ?ch = true |- _ => rename Q into Ch end. rewrite forallb_forall in Ch.
  pose proof (compulsory_sum_most g S) as K.
  match goal with |- _ - _ / ?d <= _ => set (den := d) in * end.
  assert (Z : compulsory g - (- t1) / den <= cost g p); [|unfold least_words; cbn [graph reads c fst snd] in *; lia].
  eapply (chains_sound r g (useful c) (whole c) _ _ _ t1 c1 p S useful_nonneg); try eassumption.
  - apply cut_proper, below_rises.
  - intros w I. specialize (Ch w I). apply andb_prop in Ch. apply negb_true_iff, Ch.
  - lia.
Qed.
Lemma projections_bound_sound : forall d b, projections_bound c r d = Good b -> forall p, wins r g (useful c) p -> b <= cost g p.
Proof.
  intros d b H p W. unfold projections_bound in H. repeat good H. injection H as <-.
  repeat match goal with Q : require _ _ = Good _ |- _ => apply require_true in Q end.
  destruct (recompute r) eqn:O; [discriminate|]. cbn [graph c] in *.
  match goal with Q : (if is_product g ?x ?vs then _ else _) = _ |- _ => destruct (is_product g x vs) eqn:P; [|discriminate] end.
  destruct (below_spec (size g)) as (D & B). eapply products_sound; eassumption.
Qed.
Lemma open_chains_bound_sound : forall d b, open_chains_bound c r d = Good b -> forall p, wins r g (useful c) p -> b <= cost g p.
Proof.
  intros d b H p W. unfold open_chains_bound in H. repeat good H. injection H as <-.
  repeat match goal with Q : require _ _ = Good _ |- _ => apply require_true in Q end.
  destruct (recompute r) eqn:O; [discriminate|]. cbn [graph c] in *.
  destruct (below_spec (size g)) as (D & B). eapply open_chains_sound; eassumption.
Qed.
Lemma bound_of_sound : forall kind d b, bound_of c r kind d = Good b ->
  forall p, wins r g (useful c) p -> b <= cost g p.
Proof.
  intros kind d b H p W. unfold bound_of in H.
  destruct (kind =? "compulsory")%string.
  { repeat good H. injection H as <-. pose proof (compulsory_words r g _ p S W).
    pose proof (compulsory_sum_most g S). unfold least_words. simpl in *. lia. }
  destruct (kind =? "parts")%string; [eapply parts_bound_sound; eauto|].
  destruct (kind =? "shares")%string; [eapply parts_bound_sound; eauto|].
  destruct (kind =? "staged")%string; [eapply parts_bound_sound; eauto|].
  destruct (kind =? "reload-windows")%string; [eapply chains_bound_sound; eauto|].
  destruct (kind =? "projections")%string; [eapply projections_bound_sound; eauto|].
  destruct (kind =? "open-chains")%string; [eapply open_chains_bound_sound; eauto|]. discriminate.
Qed.
End Sound.

Lemma bound_anyhow_sound : forall g r memory kind d b, sound g -> 0 <= memory ->
  bound_anyhow (context_of g (readers_table g) memory) r memory kind d = Good b ->
  forall p, wins r g memory p -> b <= cost g p.
Proof.
  intros g r memory kind d b S Pm H p W. unfold bound_anyhow in H. destruct (kind =? "renumbered")%string.
  - repeat good H. repeat match goal with Q : require _ _ = Good _ |- _ => apply require_true in Q end. simpl graph in *.
    match goal with Q : permutation _ ?x = true |- _ => set (l := x) in *; rename Q into P end.
    match goal with Q : well_formed ?x _ = true |- _ => set (h := x) in *; apply well_formed_sound in Q; rename Q into Sh end.
    apply (renumbered_bound g l r memory b S P); [|exact W]. intros q Wq.
    apply (bound_of_sound h r memory Sh Pm _ _ _ H). apply wins_capped; assumption.
  - apply (bound_of_sound g r memory S Pm _ _ _ H). apply wins_capped; assumption.
Qed.
Lemma met_sound : forall c r d b, met c r d b = Good true ->
  exists p, wins r (graph c) (useful c) p /\ cost (graph c) p = b.
Proof.
  intros c r d b H. unfold met in H. repeat good H.
  match type of H with match quick_run _ _ _ ?m _ with _ => _ end = _ => exists m;
    destruct (quick_run r (graph c) (useful c) m (quick_start (graph c))) as [t |] eqn:R end; [|discriminate]. repeat good H.
  repeat match goal with Q : require _ _ = Good _ |- _ => apply require_true in Q end.
  split; [eapply quick_wins; eassumption|]. unfold cost. rewrite <- total_sum. apply Z.eqb_eq. assumption.
Qed.
(* THEOREM: the checker is right. No play that is legal with so much memory, or less, moves fewer words;
   and if it says so, some play moves no more. *)
Theorem verdict_sound : forall lines j v, verdict lines j = Good v ->
  sound (dag_of lines) /\
  (forall M p, M <= proved_memory v -> wins (proved_rules v) (dag_of lines) M p -> proved_io v <= cost (dag_of lines) p) /\
  (proved_optimal v = true -> exists p,
     wins (proved_rules v) (dag_of lines) (proved_memory v) p /\ cost (dag_of lines) p = proved_io v).
Proof.
  intros lines j v H. unfold verdict in H. set (g := dag_of lines) in *. repeat good H. injection H as <-.
  repeat match goal with Q : require _ _ = Good _ |- _ => apply require_true in Q end.
  assert (S : sound g) by (apply well_formed_sound; assumption).
  split; [exact S|]. simpl.
  match goal with Q : (?io =? fst ?b) = true |- _ => apply Z.eqb_eq in Q; subst io; destruct b as (b & o); rename b into io end.
  match goal with Q : (0 <=? ?m) = true |- _ => apply Z.leb_le in Q; rename Q into Pm; set (memory := m) in * end.
  match goal with Q : (if (?k =? "optimum")%string then _ else _) = Good _ |- _ => rename Q into B;
    destruct (k =? "optimum")%string end.
  - repeat good B. injection B as <- <-. split.
    + intros M p Mp W. apply (more_memory g _ _ memory p Mp) in W. eapply (bound_anyhow_sound g _ memory); eassumption.
    + simpl. intros ->. match goal with Q : met _ _ _ _ = Good true |- _ => apply met_sound in Q; destruct Q as (p & W & C) end.
      simpl in W, C. exists p. split; [|exact C]. apply (more_memory g _ (Z.min memory (all_words g))); [apply Z.le_min_l | exact W].
  - repeat good B. injection B as <- <-. split; [|discriminate].
    intros M p Mp W. apply (more_memory g _ _ memory p Mp) in W. eapply (bound_anyhow_sound g _ memory); eassumption.
Qed.
