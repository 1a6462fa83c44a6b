(* Checks moments of one order (P6): of two computations, whatever the order is, one comes first. *)
Require Import List NArith ZArith Bool Lia.
From RedBlue Require Import Game Plays Compulsory Maps Dags Pieces Moments Fronts Ledger.
Import ListNotations.
Open Scope Z_scope.

(* A moment: a computed vertex, a price, a flow, what is charged to stores, and to rows of loads, and
   slopes of values. Amounts are in half words. *)
Record order_moment := {
  at_vertex : N;
  at_price : Z;
  flow_at : case;               (* its `first` is not used *)
  stores_at : list (N * Z);
  charges_at : list (row * Z);  (* rows of loads: (v, i + 1) *)
  slopes_at : list (N * Z)
}.
(* What it says: words that are certain, words that are due of each vertex if it comes before, and
   charges. *)
Record due_moment := {
  due_vertex : N;
  certain : Z;
  due : N -> Z;
  due_charges : list (row * Z)
}.

Fixpoint greatest (f : N -> Z) (first_ : Z) (l : list N) : Z :=
  match l with [] => first_ | i :: rest => greatest f (Z.max first_ (f i)) rest end.
Lemma greatest_ge : forall f a l, a <= greatest f a l /\ forall i, In i l -> f i <= greatest f a l.
Proof.
  intros f a l. revert a. induction l as [|j l IH]; simpl; intros a; [split; [lia | intros i []]|].
  destruct (IH (Z.max a (f j))) as (A & B). split; [lia|]. intros i [<- | I]; [lia | auto].
Qed.

(* The most that is missing of a value, less its slope times the stage, in any stage that may be. *)
Definition beyond_of (rest slope : Z) (charged : N -> Z) (lo hi : N) : Z :=
  if (0 <? rest) || negb (slope =? 0) then
    let missing := fun i => Z.max 0 (rest - charged i) - slope * Z.of_N i in
    match span lo hi with [] => 0 | i :: more => greatest missing (missing i) more end
  else 0.
Lemma beyond_enough : forall rest slope charged lo hi i, (lo <= i <= hi)%N -> (forall j, 0 <= charged j) ->
  0 <= beyond_of rest slope charged lo hi + slope * Z.of_N i
  /\ rest - charged i <= beyond_of rest slope charged lo hi + slope * Z.of_N i.
Proof.
  intros rest slope charged lo hi i L C. unfold beyond_of. specialize (C i).
  destruct ((0 <? rest) || negb (slope =? 0)) eqn:Q.
  - pose proof (span_In _ _ _ L) as I. destruct (span lo hi) as [|j more]; [destruct I|].
    match goal with |- context [greatest ?f ?a ?l] => destruct (greatest_ge f a l) as (G1 & G2); set (best := greatest f a l) in * end.
    assert (G : Z.max 0 (rest - charged i) - slope * Z.of_N i <= best).
    { destruct I as [<- | I]; [exact G1 | exact (G2 _ I)]. }
    lia.
  - apply orb_false_iff in Q. destruct Q as (Q1 & Q2). apply Z.ltb_ge in Q1. apply negb_false_iff, Z.eqb_eq in Q2. lia.
Qed.

Definition apart (l : list N) : bool :=
  fst (fold_left (fun ks v => (fst ks && negb (has (snd ks) v), insert (snd ks) v)) l (true, empty unit)).
Lemma apart_NoDup : forall l, apart l = true -> NoDup l.
Proof.
  assert (G : forall l b s, fst (fold_left (fun ks v => (fst ks && negb (has (snd ks) v), insert (snd ks) v)) l (b, s)) = true ->
    b = true /\ NoDup l /\ forall v, In v l -> has s v = false).
  { induction l as [|x l IH]; simpl; intros b s H; [split; [exact H | split; [constructor | intros v []]]|].
    destruct (IH _ _ H) as (A & B & C). apply andb_prop in A. destruct A as (A & N). apply negb_true_iff in N.
    split; [exact A|]. split.
    - constructor; [|exact B]. intros I. specialize (C x I). rewrite has_insert, N.eqb_refl in C. discriminate.
    - intros v [<- | I]; [exact N|]. specialize (C v I). rewrite has_insert in C. apply orb_false_iff in C. tauto. }
  intros l H. apply (G l true (empty unit) H).
Qed.

(* Of each two moments the smaller of what is due, and what is due of other vertices if it is less than 0. *)
Fixpoint pairs (l : list due_moment) : Z :=
  match l with
  | [] => 0
  | d :: rest => total (fun e => Z.min (due d (due_vertex e)) (due e (due_vertex d))) rest + pairs rest
  end.

Section Orders.
Variables (r : rules) (g : dag) (M : Z) (whole : piece) (readers : map (list N)) (staged : bool).
Notation chosen := (chosen readers).

Definition of_moment (o : order_moment) : option due_moment :=
  let x := at_vertex o in
  match flow_of whole (edges (flow_at o)) (amounts (flow_at o)), flow_of whole (closures (flow_at o)) (returns (flow_at o)) with
  | Some flow, Some back =>
      let carried := totals tail amount flow (empty Z) in
      let ops := set_of (operands g x) in
      let through := fun v => if has ops v then 0 else get carried v in
      let stored := totals fst snd (stores_at o) (empty Z) in
      let slope := totals fst snd (slopes_at o) (empty Z) in
      let key := fun ra : row * Z => (fst (fst ra) + snd (fst ra) * size g)%N in
      let charged := totals key snd (charges_at o) (empty Z) in
      let above := common g whole [x] in
      let under := fst (follow g whole [x]) in
      let (before, after) := in_stages staged above (has under) in
      let beyond := fun v => beyond_of (through v - get stored v) (get slope v)
        (fun i => get charged (v + (i + 1) * size g)%N) (stage_first chosen before v) (stage_last chosen after v) in
      let grown := supplies flow back in
      let owed := fold_left (fun m va => fold_left (fun m w => bump m w (snd va)) (chosen (fst va)) m)
                    (slopes_at o) (empty Z) in
      let due_ := fun u => get grown u - get owed u in
      if (x <? size g)%N && negb (is_input g x) && (0 <=? at_price o)
         && forallb (fun v => get carried v <=? at_price o * words g v) (members whole)
         && forallb (fun va => (0 <=? snd va) && costly g (fst va)
              && (get stored (fst va) <=? through (fst va)) && (fst va <? size g)%N) (stores_at o)
         && forallb (fun ra => (0 <=? snd ra) && (fst (fst ra) <? size g)%N && (0 <? snd (fst ra))%N) (charges_at o)
         && forallb (fun va => (fst va <? size g)%N) (slopes_at o)
      then Some {|
        due_vertex := x;
        certain := total (fun u => if above u then due_ u else 0) (members whole)
          - at_price o * M + at_price o * taken r g x
          + total (fun u => at_price o * words g u - get carried u) (operands g x)
          - total beyond (members whole);
        due := get (nonzeros (fun u => if above u || has under u then 0 else due_ u) (members whole));
        due_charges := rev_append (List.map (fun va => ((fst va, 0%N), 2 * snd va)) (stores_at o))
                         (List.map (fun ra => (fst ra, 2 * snd ra)) (charges_at o))
      |}
      else None
  | _, _ => None
  end.

(* All moments: their words, with what their order makes certain, and their charges. *)
Definition of_order (l : list order_moment) : option (Z * list (row * Z)) :=
  match all_of of_moment l with
  | None => None
  | Some ds =>
      let own := set_of (List.map due_vertex ds) in
      if apart (List.map due_vertex ds) then
        Some (total certain ds + pairs ds
              + total (fun d => total (fun u => if has own u then 0 else Z.min 0 (due d u)) (members whole)) ds,
              spread due_charges ds)
      else None
  end.

Hypothesis once : recompute r = false.
Hypothesis S : sound g.
Hypothesis some_memory : 0 <= M.
Hypothesis readers_read : forall v w, In w (chosen v) -> In v (operands g w) /\ (w < size g)%N.
Hypothesis unstaged : staged = false -> forall v, chosen v = [].
Hypothesis proper_whole : proper g whole.
Hypothesis all_there : forall v, (v < size g)%N -> In v (members whole).
Variables (p : list move) (t : state).
Hypothesis played : run r g M p (start g) = Some t.
Hypothesis ended : finished g t = true.
Notation V := (members whole).

Lemma key_inj : forall v j w k n, (v < n)%N -> (w < n)%N -> (v + j * n = w + k * n)%N -> v = w /\ j = k.
Proof.
  intros v j w k n A B E. assert (N0 : n <> 0%N) by lia.
  assert (v = w).
  { rewrite <- (N.mod_small v n A), <- (N.mod_small w n B), <- (N.mod_add v j n N0), <- (N.mod_add w k n N0). congruence. }
  subst w. split; [reflexivity|]. nia.
Qed.
Lemma sum_minus : forall A (f h : A -> Z) l, sum (fun x => f x - h x) l = sum f l - sum h l.
Proof. intros A f h l. induction l; simpl; lia. Qed.

Section One.
Variables (o : order_moment) (d : due_moment) (p1 p2 : list move).
Hypothesis made : of_moment o = Some d.
Hypothesis here : p = p1 ++ Compute (due_vertex d) :: p2.

Theorem moment_due : 2 * (certain d + sum (fun u => if been p1 u then due d u else 0) V)
    <= sum (charge_of (due_charges d)) (events g chosen p)
  /\ (forall ra, In ra (due_charges d) -> (fst (fst ra) < size g)%N /\ 0 <= snd ra)
  /\ (due_vertex d < size g)%N /\ is_input g (due_vertex d) = false.
Proof.
  pose proof made as H. unfold of_moment in H. cbv beta zeta in H. set (x := at_vertex o) in *.
  destruct (flow_of whole (edges (flow_at o)) (amounts (flow_at o))) as [flow |] eqn:Fl; [|discriminate].
  destruct (flow_of whole (closures (flow_at o)) (returns (flow_at o))) as [back |] eqn:Bk; [|discriminate].
  change (in_stages staged (common g whole [x]) (has (fst (follow g whole [x])))) with (kin g whole staged [x]) in H.
  destruct (kin g whole staged [x]) as (before & after) eqn:Ki.
  set (carried := totals tail amount flow (empty Z)) in *.
  set (ops := set_of (operands g x)) in *.
  set (through_ := fun v => if has ops v then 0 else get carried v) in *.
  set (stored_ := totals fst snd (stores_at o) (empty Z)) in *.
  set (slope := totals fst snd (slopes_at o) (empty Z)) in *.
  set (key := fun ra : row * Z => (fst (fst ra) + snd (fst ra) * size g)%N) in *.
  set (charged := totals key snd (charges_at o) (empty Z)) in *.
  set (above := common g whole [x]) in *.
  set (under := fst (follow g whole [x])) in *.
  set (beyond := fun v => beyond_of (through_ v - get stored_ v) (get slope v)
        (fun i => get charged (v + (i + 1) * size g)%N) (stage_first chosen before v) (stage_last chosen after v)) in *.
  set (owed := fold_left _ (slopes_at o) (empty Z)) in *.
  match type of H with (if ?c then _ else _) = _ => destruct c eqn:C; [|discriminate] end.
  repeat (apply andb_prop in C; destruct C as (C & ?)).
  match goal with Q : forallb (fun va => (fst va <? size g)%N) _ = true |- _ => rename Q into Sl end.
  match goal with Q : forallb _ (charges_at o) = true |- _ => rename Q into Ch end.
  match goal with Q : forallb _ (stores_at o) = true |- _ => rename Q into St end.
  match goal with Q : forallb _ V = true |- _ => rename Q into Nw end.
  match goal with Q : (0 <=? at_price o) = true |- _ => apply Z.leb_le in Q; rename Q into Pp end.
  match goal with Q : negb (is_input g x) = true |- _ => apply negb_true_iff in Q; rename Q into Zx end.
  apply N.ltb_lt in C. rewrite forallb_forall in Sl, Ch, St, Nw.
  assert (Ex : due_vertex d = x) by (injection H as <-; reflexivity).
  pose proof here as E. rewrite Ex in E. pose proof played as R. rewrite E in R.
  set (B := fun v => been p1 v = true).
  assert (Closed : forall v u, B v -> In u (operands g v) -> B u) by (intros v u; eapply been_closed; eauto).
  destruct (moment r g M S some_memory p1 p2 x t R) as (s & A & T & U & O & Lx & _ & _).
  assert (Ops : forall u, In u (operands g x) -> B u) by (intros u I; eapply red_been; eauto).
  destruct (not_again r g M once p1 p2 x t R) as (Nx & _).
  assert (Not : forall v, In v [x] -> ~ B v).
  { intros v [<- | []] Bv. apply Nx. eapply been_computed; eauto. }
  assert (Up : forall v u, ~ B u -> In u (operands g v) -> ~ B v) by (intros v u N I Bv; apply N; eauto).
  destruct (follow_sound g whole [x] (fun v => ~ B v) Not Up) as (Fs & _).
  assert (Above : forall v, above v = true -> been p1 v = true)
    by (intros v; apply (common_sound g whole [x] x B (or_introl eq_refl) Ops Closed)).
  assert (Under : forall v, has under v = true -> been p1 v = false)
    by (intros v Q; apply not_true_iff_false; exact (Fs v Q)).
  assert (Stage : forall v, (stage_first chosen before v <= stage chosen v p1 <= stage_last chosen after v)%N).
  { intros v. assert (Q : (stage_first chosen (common g whole [x]) v <= stage chosen v p1
       <= stage_last chosen (has (fst (follow g whole [x]))) v)%N).
    { unfold stage, stage_first, stage_last. split.
      - apply N2Z.inj_le. rewrite !nat_N_Z. apply Nat2Z.inj_le, filter_length_le. intros w Iw Q.
        apply computes_In. eapply been_computed; eauto. apply (operand_not_input g w v), readers_read, Iw.
      - apply N2Z.inj_le. rewrite !nat_N_Z. apply Nat2Z.inj_le, filter_length_le. intros w Iw Q.
        destruct (has (fst (follow g whole [x])) w) eqn:Q'; [|reflexivity]. exfalso.
        apply (Fs w Q'). unfold B, been. rewrite Q. reflexivity. }
    pose proof (stages_of_kin g whole readers staged unstaged [x] v _ Q) as K. rewrite Ki in K. exact K. }
  assert (Rd' : forall v w, In w (chosen v) -> In v (operands g w)) by (intros v w I; apply readers_read, I).
  assert (Ed : forall e, In e flow \/ In e back -> In (tail e) V /\ In (head e) V /\ 0 <= amount e
      /\ In (tail e) (operands g (head e)) /\ (head e < size g)%N).
  { intros e [I | I]; [exact (flow_spec g whole _ _ _ proper_whole Fl e I) | exact (flow_spec g whole _ _ _ proper_whole Bk e I)]. }
  assert (Nr : forall v, In v V -> through flow v <= at_price o * words g v).
  { intros v I. specialize (Nw v I). unfold carried in Nw. rewrite carried_is in Nw. apply Z.leb_le, Nw. }
  destruct (moment_away r g M chosen once S some_memory Rd' p1 p2 x t R ended (at_price o) flow back V
    Pp (members_distinct g whole proper_whole) Ed Nr) as (away & Main & Each).
  rewrite <- E in Each.
  (* what is charged *)
  set (charges := rev_append (List.map (fun va : N * Z => ((fst va, 0%N), 2 * snd va)) (stores_at o))
                   (List.map (fun ra : row * Z => (fst ra, 2 * snd ra)) (charges_at o))) in *.
  assert (Bc : forall ra, In ra charges -> (fst (fst ra) < size g)%N /\ 0 <= snd ra).
  { intros ra I. unfold charges in I. rewrite rev_append_rev in I. apply in_app_or in I. destruct I as [I | I].
    - apply in_rev, in_map_iff in I. destruct I as (va & <- & I). specialize (St va I).
      repeat (apply andb_prop in St; destruct St as (St & ?)). apply Z.leb_le in St.
      match goal with Q : (_ <? _)%N = true |- _ => apply N.ltb_lt in Q end. cbn [fst snd]. split; [assumption | lia].
    - apply in_map_iff in I. destruct I as (ra' & <- & I). specialize (Ch ra' I).
      repeat (apply andb_prop in Ch; destruct Ch as (Ch & ?)). apply Z.leb_le in Ch.
      match goal with Q : (fst (fst ra') <? _)%N = true |- _ => apply N.ltb_lt in Q end. cbn [fst snd]. split; [assumption | lia]. }
  assert (Cst : forall v, 2 * get stored_ v <= charge_of charges (v, 0%N)).
  { intros v. unfold charges. rewrite rev_append_rev, charge_of_app, charge_of_rev. unfold stored_. rewrite get_totals, get_empty.
    assert (Q : 0 <= charge_of (List.map (fun ra : row * Z => (fst ra, 2 * snd ra)) (charges_at o)) (v, 0%N)).
    { apply charge_of_nonneg. intros ra I. apply Bc. unfold charges. rewrite rev_append_rev. apply in_or_app. auto. }
    assert (Q' : charge_of (List.map (fun va : N * Z => ((fst va, 0%N), 2 * snd va)) (stores_at o)) (v, 0%N)
      = 2 * sum (fun va => if (fst va =? v)%N then snd va else 0) (stores_at o)).
    { unfold charge_of. rewrite sum_map, <- sum_times. apply sum_ext. intros va _. unfold row_eqb. cbn [fst snd].
      rewrite N.eqb_refl, andb_true_r. destruct (fst va =? v)%N; lia. }
    lia. }
  assert (Cch : forall v i, (v < size g)%N -> 2 * get charged (v + (i + 1) * size g)%N <= charge_of charges (v, i + 1)%N).
  { intros v i L. unfold charges. rewrite rev_append_rev, charge_of_app, charge_of_rev. unfold charged. rewrite get_totals, get_empty.
    assert (Q : 0 <= charge_of (List.map (fun va : N * Z => ((fst va, 0%N), 2 * snd va)) (stores_at o)) (v, i + 1)%N).
    { apply charge_of_nonneg. intros ra I. apply Bc. unfold charges. rewrite rev_append_rev. apply in_or_app. left. apply in_rev.
      rewrite rev_involutive. exact I. }
    assert (Q' : 2 * sum (fun ra => if (key ra =? v + (i + 1) * size g)%N then snd ra else 0) (charges_at o)
      = charge_of (List.map (fun ra : row * Z => (fst ra, 2 * snd ra)) (charges_at o)) (v, i + 1)%N).
    { unfold charge_of. rewrite sum_map, <- sum_times. apply sum_ext. intros ((w & j) & a) I. specialize (Ch _ I).
      repeat (apply andb_prop in Ch; destruct Ch as (Ch & ?)). cbn [fst snd] in *.
      match goal with Q : (w <? _)%N = true |- _ => apply N.ltb_lt in Q; rename Q into Lw end.
      unfold row_eqb, key. cbn [fst snd].
      destruct (N.eqb_spec (w + j * size g) (v + (i + 1) * size g)) as [K | K].
      - destruct (key_inj _ _ _ _ _ Lw L K) as (-> & ->). rewrite !N.eqb_refl. cbn [andb]. lia.
      - destruct (N.eqb_spec w v) as [-> | _]; cbn [andb]; [|lia]. destruct (N.eqb_spec j (i + 1)) as [-> | _]; [congruence | lia]. }
    lia. }
  assert (Sn : forall v, get stored_ v <= through_ v \/ get stored_ v = 0).
  { intros v. destruct (existsb (fun va => (fst va =? v)%N) (stores_at o)) eqn:Q.
    - apply existsb_exists in Q. destruct Q as (va & I & Q). apply N.eqb_eq in Q. subst v. specialize (St va I).
      repeat (apply andb_prop in St; destruct St as (St & ?)). left. apply Z.leb_le. assumption.
    - right. unfold stored_. rewrite get_totals, get_empty, sum_zero; [lia|]. intros va I.
      destruct (fst va =? v)%N eqn:Q'; [|reflexivity]. exfalso.
      assert (existsb (fun va => (fst va =? v)%N) (stores_at o) = true) by (apply existsb_exists; eauto). congruence. }
  assert (Sc : forall v, costly g v = false -> get stored_ v = 0).
  { intros v Q. unfold stored_. rewrite get_totals, get_empty, sum_zero; [lia|]. intros va I.
    destruct (N.eqb_spec (fst va) v) as [K | K]; [|reflexivity]. exfalso. specialize (St va I).
    repeat (apply andb_prop in St; destruct St as (St & ?)). congruence. }
  assert (S0 : forall v, 0 <= get stored_ v).
  { intros v. unfold stored_. rewrite get_totals, get_empty. apply Z.add_nonneg_nonneg; [lia|]. apply sum_nonneg.
    intros va I. specialize (St va I). repeat (apply andb_prop in St; destruct St as (St & ?)). apply Z.leb_le in St.
    destruct (fst va =? v)%N; lia. }
  assert (C0 : forall k, 0 <= get charged k).
  { intros k. unfold charged. rewrite get_totals, get_empty. apply Z.add_nonneg_nonneg; [lia|]. apply sum_nonneg.
    intros ra I. specialize (Ch ra I). repeat (apply andb_prop in Ch; destruct Ch as (Ch & ?)). apply Z.leb_le in Ch.
    destruct (key ra =? k)%N; lia. }
  (* what is beyond the charges *)
  set (i_ := fun v => stage chosen v p1).
  set (T_ := fun v => beyond v + get slope v * Z.of_N (i_ v)).
  assert (Be : forall v, 0 <= T_ v /\ through_ v - get stored_ v - get charged (v + (i_ v + 1) * size g)%N <= T_ v).
  { intros v. unfold T_, beyond. apply (beyond_enough _ _ (fun i => get charged (v + (i + 1) * size g)%N)); [apply Stage | intros j; apply C0]. }
  set (away_ := fun v => away v && (0 <? through flow v)).
  set (c := fun v => 2 * (get stored_ v + get charged (v + (i_ v + 1) * size g)%N)).
  assert (Paid : sum (fun v => if away_ v then c v else 0) V <= sum (charge_of charges) (events g chosen p)).
  { rewrite E. apply (rows_paid g chosen p1 p2 x V (members_distinct g whole proper_whole)).
    - apply charge_of_nonneg. intros ra I. apply Bc, I.
    - intros v I Q _. unfold away_ in Q. apply andb_prop in Q. destruct Q as (Q & Q'). apply Z.ltb_lt in Q'.
      destruct (Each v I Q Q') as (_ & K1 & K2). rewrite E in K1, K2. split; [|split; assumption].
      unfold c. pose proof (Cst v). pose proof (Cch v (i_ v) (members_below g whole proper_whole v I)). unfold i_ in *.
      destruct (costly g v) eqn:Q2; [lia|]. rewrite (Sc v Q2). lia. }
  assert (Through : sum (fun v => if away v then through flow v else 0) V
      <= sum (fun v => if away_ v then get stored_ v + get charged (v + (i_ v + 1) * size g)%N else 0) V + sum T_ V).
  { rewrite <- sum_plus. apply sum_le. intros v I. destruct (Be v) as (B1 & B2). unfold away_.
    destruct (away v) eqn:Q; simpl; [|lia]. destruct (Z.ltb_spec 0 (through flow v)) as [Q' | Q']; [|lia].
    destruct (Each v I Q Q') as (No & _ & _).
    assert (Et : through_ v = through flow v).
    { unfold through_. destruct (has ops v) eqn:Q2; [apply has_set_of in Q2; tauto|]. apply carried_is. }
    rewrite <- Et. lia. }
  assert (Slopes : sum (fun v => get slope v * Z.of_N (i_ v)) V = sum (fun u => if been p1 u then get owed u else 0) V).
  { assert (Ow : forall u, get owed u = sum (fun va => sum (fun w => if (w =? u)%N then snd va else 0) (chosen (fst va))) (slopes_at o)).
    { intros u. unfold owed. generalize (slopes_at o). intros l.
      assert (G : forall l m, get (fold_left (fun m va => fold_left (fun m w => bump m w (snd va)) (chosen (fst va)) m) l m) u
        = get m u + sum (fun va : N * Z => sum (fun w => if (w =? u)%N then snd va else 0) (chosen (fst va))) l).
      { induction l0 as [|va k IH]; simpl; intros m; [lia|]. rewrite IH.
        assert (G' : forall ws m, get (fold_left (fun m w => bump m w (snd va)) ws m) u
           = get m u + sum (fun w => if (w =? u)%N then snd va else 0) ws).
        { induction ws as [|w ws IHw]; simpl; intros m'; [lia|]. rewrite IHw, get_bump. lia. }
        rewrite G'. lia. }
      rewrite G, get_empty. lia. }
    assert (Nv : forall v, Z.of_N (i_ v) = sum (fun w => if been p1 w then 1 else 0) (chosen v)).
    { intros v. unfold i_, stage. rewrite nat_N_Z.
      assert (Q : forall l, incl l (chosen v) -> Z.of_nat (length (filter (fun w => computes w p1) l))
          = sum (fun w => if been p1 w then 1 else 0) l).
      { induction l as [|w l IH]; simpl; intros I; [reflexivity|].
        assert (Bw : computes w p1 = been p1 w).
        { destruct (been p1 w) eqn:Q.
          - apply computes_In. eapply been_computed; eauto. apply (operand_not_input g w v), readers_read, I. left; reflexivity.
          - unfold been in Q. apply orb_false_iff in Q. tauto. }
        rewrite Bw. specialize (IH (fun z J => I z (or_intror J))). destruct (been p1 w); simpl length; lia. }
      apply Q, incl_refl. }
    transitivity (sum (fun va => snd va * sum (fun w => if been p1 w then 1 else 0) (chosen (fst va))) (slopes_at o)).
    - rewrite (sum_ext _ _ (fun v => sum (fun va : N * Z => if (fst va =? v)%N then snd va * Z.of_N (i_ v) else 0) (slopes_at o))).
      + rewrite sum_swap. apply sum_ext. intros va I. rewrite <- Nv.
        apply (sum_one (fun v => snd va * Z.of_N (i_ v))); [apply (members_distinct g whole proper_whole)|].
        apply all_there, N.ltb_lt, (Sl va I).
      + intros v _. unfold slope. rewrite get_totals, get_empty, Z.add_0_l, Z.mul_comm, <- sum_times.
        apply sum_ext. intros va _. destruct (fst va =? v)%N; lia.
    - rewrite (sum_ext _ (fun u => if been p1 u then get owed u else 0)
        (fun u => sum (fun va : N * Z => sum (fun w => if (w =? u)%N then if been p1 u then snd va else 0 else 0) (chosen (fst va))) (slopes_at o))).
      + rewrite sum_swap. apply sum_ext. intros va I. rewrite <- sum_times, sum_swap. apply sum_ext. intros w J.
        rewrite (sum_one (fun u => if been p1 u then snd va else 0)); [destruct (been p1 w); lia| |].
        * apply (members_distinct g whole proper_whole).
        * apply all_there, (readers_read (fst va)), J.
      + intros u _. rewrite Ow. destruct (been p1 u).
        * reflexivity.
        * symmetry. apply sum_zero. intros va _. apply sum_zero. intros w _. destruct (w =? u)%N; reflexivity. }
  (* all together *)
  injection H as <-. simpl certain. simpl due. simpl due_charges. simpl due_vertex. fold charges.
  split; [|split; [exact Bc | split; [exact Lx | exact Zx]]].
  rewrite !total_sum.
  rewrite (sum_ext _ (fun u => if been p1 u then get (nonzeros _ V) u else 0)
    (fun u => if been p1 u then if above u || has under u then 0 else get (supplies flow back) u - get owed u else 0))
    by (intros u I; rewrite get_nonzeros by exact I; reflexivity).
  assert (Due : sum (fun u => if above u then get (supplies flow back) u - get owed u else 0) V
      + sum (fun u => if been p1 u then if above u || has under u then 0 else get (supplies flow back) u - get owed u else 0) V
      = held p1 flow back V - sum (fun u => if been p1 u then get owed u else 0) V).
  { unfold held. rewrite <- sum_plus, <- sum_minus. apply sum_ext. intros u _. rewrite supplies_is.
    destruct (above u) eqn:Q; simpl; [rewrite (Above u Q); lia|].
    destruct (has under u) eqn:Q'; [rewrite (Under u Q'); lia|]. destruct (been p1 u); lia. }
  assert (Id : sum (fun u => at_price o * words g u - get carried u) (operands g x)
      = sum (fun u => at_price o * words g u - through flow u) (operands g x)).
  { apply sum_ext. intros u _. unfold carried. rewrite carried_is. reflexivity. }
  assert (Te : sum T_ V = sum beyond V + sum (fun v => get slope v * Z.of_N (i_ v)) V) by (apply sum_plus).
  assert (Ce : sum (fun v => if away_ v then c v else 0) V
      = 2 * sum (fun v => if away_ v then get stored_ v + get charged (v + (i_ v + 1) * size g)%N else 0) V).
  { rewrite <- sum_times. apply sum_ext. intros v _. unfold c. destruct (away_ v); lia. }
  unfold idle in Main.
  assert (Final : 2 * (sum (fun u => if above u then get (supplies flow back) u - get owed u else 0) V
      - at_price o * M + at_price o * taken r g x + sum (fun u => at_price o * words g u - get carried u) (operands g x)
      - sum beyond V
      + sum (fun u => if been p1 u then if above u || has under u then 0 else get (supplies flow back) u - get owed u else 0) V)
      <= sum (charge_of charges) (events g chosen p)) by lia.
  exact Final.
Qed.
End One.

(* Which of two computations comes first. *)
Fixpoint upto (x : N) (q : list move) : list move :=
  match q with
  | [] => []
  | Compute v :: rest => if (v =? x)%N then [] else Compute v :: upto x rest
  | m :: rest => m :: upto x rest
  end.
Lemma upto_split : forall x q, In (Compute x) q -> exists b, q = upto x q ++ Compute x :: b.
Proof.
  intros x. induction q as [|m q IH]; intros I; [destruct I|].
  assert (D : m = Compute x \/ m <> Compute x).
  { destruct m; try (right; discriminate). destruct (N.eq_dec v x) as [-> | N]; [left; auto | right; congruence]. }
  destruct D as [-> | D].
  - simpl. rewrite N.eqb_refl. exists q. reflexivity.
  - destruct I as [I | I]; [congruence|]. destruct (IH I) as (b & E). exists b.
    destruct m; simpl; try (f_equal; exact E).
    destruct (N.eqb_spec v x) as [-> | _]; [congruence|]. simpl. f_equal. exact E.
Qed.
Lemma upto_not : forall x q, ~ In (Compute x) (upto x q).
Proof.
  intros x. induction q as [|m q IH]; [intros []|]. destruct m; simpl; try (intros [E | I]; [discriminate | tauto]).
  destruct (N.eqb_spec v x) as [-> | N]; [intros []|]. intros [E | I]; [congruence | tauto].
Qed.
Lemma upto_app : forall x a b, ~ In (Compute x) a -> upto x (a ++ b) = a ++ upto x b.
Proof.
  intros x. induction a as [|m a IH]; simpl; intros b N; [reflexivity|].
  assert (N' : ~ In (Compute x) a) by tauto. destruct m; try (f_equal; apply IH, N').
  destruct (N.eqb_spec v x) as [-> | _]; [tauto|]. f_equal. apply IH, N'.
Qed.
Lemma one_first : forall x y, x <> y -> (x < size g)%N -> (y < size g)%N -> is_input g x = false -> is_input g y = false ->
  been (upto x p) y = negb (been (upto y p) x).
Proof.
  intros x y N Lx Ly Zx Zy. pose proof (run_walks _ _ _ _ _ _ played) as W.
  pose proof (all_computed r g M S p t W ended x Lx Zx) as Cx. pose proof (all_computed r g M S p t W ended y Ly Zy) as Cy.
  destruct (upto_split x p Cx) as (b & E).
  assert (Back : forall v z, is_input g v = false -> In (Compute z) p -> been (upto z p) v = true -> In (Compute v) (upto z p)).
  { intros v z Zv Cz Bv. destruct (upto_split z p Cz) as (b' & E'). pose proof played as R. rewrite E' in R.
    eapply been_computed; [exact R | exact Bv | exact Zv]. }
  assert (To : forall v q, In (Compute v) q -> been q v = true).
  { intros v q I. unfold been. apply orb_true_iff. left. apply computes_In, I. }
  destruct (been (upto x p) y) eqn:Q.
  - apply Back in Q; auto. symmetry. apply negb_true_iff. apply not_true_iff_false. intros Q'. apply Back in Q'; auto.
    rewrite E in W. destruct (computed_once _ _ _ _ _ _ _ _ once W) as (_ & Na & _).
    apply in_split in Q. destruct Q as (c & d & Ec).
    (* y is computed before x: what is before y is before x *)
    destruct (upto_split y p Cy) as (b' & E'). pose proof (upto_not x p) as Nx.
    assert (Sub : In (Compute x) (upto x p)).
    { assert (Ny : ~ In (Compute y) c).
      { intros I. rewrite Ec in W. rewrite <- app_assoc in W. simpl in W.
        destruct (computed_once _ _ _ _ _ _ _ _ once W) as (_ & K & _). exact (K I). }
      assert (Eu : upto y p = c).
      { rewrite E, Ec, <- app_assoc, upto_app by exact Ny. simpl. rewrite N.eqb_refl. apply app_nil_r. }
      rewrite Eu in Q'. rewrite Ec. apply in_or_app. left. exact Q'. }
    exact (Nx Sub).
  - symmetry. apply negb_false_iff. apply To.
    assert (Ny : ~ In (Compute y) (upto x p)).
    { intros I. apply To in I. congruence. }
    rewrite E, upto_app by exact Ny. simpl. destruct (N.eqb_spec x y); [congruence|].
    apply in_or_app. right. left. reflexivity.
Qed.

Lemma pairs_least : forall (c : N -> N -> bool) l, NoDup (List.map due_vertex l) ->
  (forall d, In d l -> c (due_vertex d) (due_vertex d) = false) ->
  (forall d e, In d l -> In e l -> due_vertex d <> due_vertex e -> c (due_vertex d) (due_vertex e) = negb (c (due_vertex e) (due_vertex d))) ->
  pairs l <= sum (fun d => sum (fun e => if c (due_vertex d) (due_vertex e) then due d (due_vertex e) else 0) l) l.
Proof.
  intros c. induction l as [|d l IH]; intros D Self Other; simpl; [lia|].
  inversion D as [|? ? N D']; subst.
  assert (pairs l <= sum (fun d => sum (fun e => if c (due_vertex d) (due_vertex e) then due d (due_vertex e) else 0) l) l).
  { apply IH; auto. - intros; apply Self; right; assumption. - intros; apply Other; auto; right; assumption. }
  rewrite (Self d (or_introl eq_refl)), sum_plus, total_sum.
  assert (sum (fun e => Z.min (due d (due_vertex e)) (due e (due_vertex d))) l
    <= sum (fun e => if c (due_vertex d) (due_vertex e) then due d (due_vertex e) else 0) l
       + sum (fun e => if c (due_vertex e) (due_vertex d) then due e (due_vertex d) else 0) l).
  { rewrite <- sum_plus. apply sum_le. intros e I.
    assert (Ne : due_vertex d <> due_vertex e).
    { intros E. apply N. rewrite E. apply in_map, I. }
    rewrite (Other d e (or_introl eq_refl) (or_intror I) Ne). destruct (c (due_vertex e) (due_vertex d)); simpl; lia. }
  lia.
Qed.

(* THEOREM P6: what the moments say together, their charges pay for. *)
Theorem order_sound : forall l shown charges, of_order l = Some (shown, charges) ->
  2 * shown <= sum (charge_of charges) (events g chosen p)
  /\ (forall ra, In ra charges -> (fst (fst ra) < size g)%N /\ 0 <= snd ra).
Proof.
  intros l shown charges H. unfold of_order in H. destruct (all_of of_moment l) as [ds |] eqn:Ds; [|discriminate].
  destruct (apart (List.map due_vertex ds)) eqn:Ap; [|discriminate]. apply apart_NoDup in Ap.
  injection H as <- <-. apply all_of_spec in Ds. destruct Ds as (_ & Ds).
  pose proof (run_walks _ _ _ _ _ _ played) as W.
  assert (Valid : forall d o, of_moment o = Some d -> (due_vertex d < size g)%N /\ is_input g (due_vertex d) = false).
  { intros d o Ho. unfold of_moment in Ho. cbv beta zeta in Ho.
    destruct (flow_of _ _ _); [|discriminate]. destruct (flow_of _ _ _); [|discriminate].
    destruct (in_stages _ _ _). match type of Ho with (if ?c then _ else _) = _ => destruct c eqn:C; [|discriminate] end.
    repeat (apply andb_prop in C; destruct C as (C & ?)). injection Ho as <-. simpl. split; [apply N.ltb_lt, C|].
    match goal with Q : negb (is_input g _) = true |- _ => apply negb_true_iff in Q; exact Q end. }
  assert (Ok : forall d, In d ds -> (due_vertex d < size g)%N /\ is_input g (due_vertex d) = false
    /\ 2 * (certain d + sum (fun u => if been (upto (due_vertex d) p) u then due d u else 0) V)
       <= sum (charge_of (due_charges d)) (events g chosen p)
    /\ (forall ra, In ra (due_charges d) -> (fst (fst ra) < size g)%N /\ 0 <= snd ra)).
  { intros d I. destruct (Ds d I) as (o & _ & Ho). destruct (Valid d o Ho) as (L & Z).
    destruct (upto_split (due_vertex d) p (all_computed r g M S p t W ended _ L Z)) as (b & E).
    destruct (moment_due o d (upto (due_vertex d) p) b Ho E) as (A & B & C & D). auto. }
  rewrite !total_sum. set (own := set_of (List.map due_vertex ds)).
  set (before := fun x u => been (upto x p) u).
  assert (Low : pairs ds + sum (fun d => total (fun u => if has own u then 0 else Z.min 0 (due d u)) V) ds
      <= sum (fun d => sum (fun u => if before (due_vertex d) u then due d u else 0) V) ds).
  { assert (Split : forall d, sum (fun u => if before (due_vertex d) u then due d u else 0) V
      = sum (fun e => if before (due_vertex d) (due_vertex e) then due d (due_vertex e) else 0) ds
        + sum (fun u => if has own u then 0 else if before (due_vertex d) u then due d u else 0) V).
    { intros d. rewrite (sum_ext _ (fun u => if before (due_vertex d) u then due d u else 0)
        (fun u => sum (fun e => if (due_vertex e =? u)%N then if before (due_vertex d) u then due d u else 0 else 0) ds
          + (if has own u then 0 else if before (due_vertex d) u then due d u else 0))).
      - rewrite sum_plus, sum_swap. f_equal. apply sum_ext. intros e I.
        apply (sum_one (fun u => if before (due_vertex d) u then due d u else 0));
          [apply (members_distinct g whole proper_whole) | apply all_there, Ok, I].
      - intros u _. set (a := if before (due_vertex d) u then due d u else 0).
        destruct (has own u) eqn:Q.
        + apply has_set_of in Q. rewrite <- (sum_map _ _ due_vertex (fun v => if (v =? u)%N then a else 0)).
          rewrite (sum_ext _ _ (fun v => if (u =? v)%N then a else 0)) by (intros v _; rewrite N.eqb_sym; reflexivity).
          rewrite (sum_one (fun _ => a)) by assumption. lia.
        + rewrite sum_zero; [lia|]. intros e I. destruct (N.eqb_spec (due_vertex e) u) as [<- | _]; [|reflexivity].
          exfalso. assert (has own (due_vertex e) = true) by (apply has_set_of, in_map, I). congruence. }
    rewrite (sum_ext _ (fun d => sum (fun u => if before (due_vertex d) u then due d u else 0) V) _ ds (fun d _ => Split d)).
    rewrite sum_plus. apply Z.add_le_mono.
    - apply pairs_least; [exact Ap | |].
      + intros d I. unfold before. apply not_true_iff_false. intros Q. destruct (Ok d I) as (L & Z & _).
        destruct (upto_split (due_vertex d) p (all_computed r g M S p t W ended _ L Z)) as (b & E).
        pose proof played as R. rewrite E in R. pose proof (been_computed r g M _ _ _ _ R _ Q Z) as K.
        exact (upto_not _ _ K).
      + intros d e I J N. destruct (Ok d I) as (L & Z & _). destruct (Ok e J) as (L' & Z' & _).
        unfold before. apply one_first; auto.
    - apply sum_le. intros d _. rewrite total_sum. apply sum_le. intros u _. destruct (has own u); [lia|].
      destruct (before (due_vertex d) u); lia. }
  assert (Charges : sum (charge_of (spread due_charges ds)) (events g chosen p)
      = sum (fun d => sum (charge_of (due_charges d)) (events g chosen p)) ds).
  { rewrite sum_swap. apply sum_ext. intros e _. unfold spread.
    assert (G : forall k acc, charge_of (fold_left (fun acc x => rev_append (due_charges x) acc) k acc) e
      = charge_of acc e + sum (fun d => charge_of (due_charges d) e) k).
    { induction k as [|d k IH]; simpl; intros acc; [lia|]. rewrite IH, rev_append_rev, charge_of_app, charge_of_rev. lia. }
    rewrite G. unfold charge_of at 1. simpl. reflexivity. }
  split.
  - rewrite Charges.
    assert (2 * sum (fun d => certain d + sum (fun u => if before (due_vertex d) u then due d u else 0) V) ds
      <= sum (fun d => sum (charge_of (due_charges d)) (events g chosen p)) ds).
    { rewrite <- sum_times. apply sum_le. intros d I. apply (Ok d I). }
    rewrite sum_plus in H. lia.
  - intros ra I. apply spread_In in I. destruct I as (d & I & J). apply (Ok d I). exact J.
Qed.
End Orders.

(* THEOREM: parts and moments of one order together, if their charges stay within what there is. *)
Theorem all_parts_sound : forall r g M whole readers staged l os denominator t1 c1 t2 c2 p,
  recompute r = false -> sound g -> 0 <= M ->
  (forall v w, In w (chosen readers v) -> In v (operands g w) /\ (w < size g)%N) ->
  (staged = false -> forall v, chosen readers v = []) -> proper g whole ->
  (forall v, (v < size g)%N -> In v (members whole)) -> 0 < denominator ->
  sum_parts r g M whole readers staged l = Some (t1, c1) -> of_order r g M whole readers staged os = Some (t2, c2) ->
  limits g denominator (rev_append c2 c1) = true ->
  wins r g M p -> compulsory g + Z.max 0 (- ((- (t1 + t2)) / denominator)) <= cost g p.
Proof.
  intros r g M whole readers staged l os d t1 c1 t2 c2 p O S HM R U W A D Q Q' L (t & H & F).
  assert (R' : forall v w, In w (chosen readers v) -> In v (operands g w)) by (intros v w I; apply R, I).
  destruct (sum_parts_sound r g M whole readers staged O S HM R' U W p t H F l t1 c1 Q) as (A1 & B1).
  destruct (order_sound r g M whole readers staged O S HM R U W A p t H F os t2 c2 Q') as (A2 & B2).
  rewrite rev_append_rev in L.
  apply (ledger r g M (chosen readers) p (charge_of (rev c2 ++ c1)) d (t1 + t2) S); auto.
  - exists t. auto.
  - rewrite (sum_ext _ _ (fun e => charge_of c2 e + charge_of c1 e)), sum_plus; [lia|].
    intros e _. rewrite charge_of_app, charge_of_rev. reflexivity.
  - intros v i Lv. eapply limits_sound; eauto. intros ra I. apply in_app_or in I. destruct I as [I | I]; [apply B2, in_rev, I | auto].
Qed.
