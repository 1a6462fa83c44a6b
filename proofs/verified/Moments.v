(* Values that wait while a vertex is computed, where values are computed once (P2, P3, P4).

   A flow along edges, and back along some, shows how many words are alive at that moment: values
   that have been in fast memory and are read later. What fast memory has no room for is away, and
   is loaded later, beyond the compulsory words. *)
Require Import List NArith ZArith Bool Lia.
From RedBlue Require Import Game Plays Compulsory.
Import ListNotations.
Open Scope Z_scope.

(* An amount along an edge, from an operand to a result. *)
Notation edge := (N * N * Z)%type.
Definition tail (e : edge) : N := fst (fst e).
Definition head (e : edge) : N := snd (fst e).
Definition amount (e : edge) : Z := snd e.
Definition if_eq (u v : N) (a : Z) : Z := if (u =? v)%N then a else 0.

Definition through (flow : list edge) (v : N) : Z := sum (fun e => if_eq (tail e) v (amount e)) flow.
Definition supply (flow back : list edge) (v : N) : Z :=
  sum (fun e => if_eq (tail e) v (amount e) - if_eq (head e) v (amount e)) flow
  + sum (fun e => if_eq (head e) v (amount e) - if_eq (tail e) v (amount e)) back.

(* A flow through a set that holds the operands of all its members. *)
Section Cut.
Variables (inside : N -> bool) (flow back : list edge) (V : list N).
Hypothesis distinct_V : NoDup V.
Hypothesis ends : forall e, In e flow \/ In e back -> In (tail e) V /\ In (head e) V /\ 0 <= amount e.
Hypothesis closed : forall e, In e back -> inside (head e) = true -> inside (tail e) = true.

Definition leaving (e : edge) : Z := if inside (tail e) && negb (inside (head e)) then amount e else 0.

Lemma sum_at : forall (h : edge -> N) (c : edge -> Z) l, (forall e, In e l -> In (h e) V) ->
  sum (fun v => if inside v then sum (fun e => if_eq (h e) v (c e)) l else 0) V
  = sum (fun e => if inside (h e) then c e else 0) l.
Proof.
  intros h c l H. transitivity (sum (fun v => sum (fun e => if inside v then if_eq (h e) v (c e) else 0) l) V).
  - apply sum_ext. intros v _. destruct (inside v); [reflexivity|]. symmetry. apply sum_zero. reflexivity.
  - rewrite sum_swap. apply sum_ext. intros e I. unfold if_eq.
    rewrite (sum_ext _ _ (fun v => if (h e =? v)%N then if inside v then c e else 0 else 0)).
    + rewrite (sum_one (fun v => if inside v then c e else 0)); auto.
    + intros v _. destruct (inside v), (h e =? v)%N; reflexivity.
Qed.
Lemma supply_split : forall v, supply flow back v
  = sum (fun e => if_eq (tail e) v (amount e)) flow - sum (fun e => if_eq (head e) v (amount e)) flow
  + (sum (fun e => if_eq (head e) v (amount e)) back - sum (fun e => if_eq (tail e) v (amount e)) back).
Proof.
  intros v. unfold supply.
  assert (D : forall A (f h : A -> Z) l, sum (fun x => f x - h x) l = sum f l - sum h l)
    by (intros A f h l; induction l; simpl; lia).
  rewrite !D. lia.
Qed.
Lemma cut_most : sum (fun v => if inside v then supply flow back v else 0) V <= sum leaving flow.
Proof.
  set (A h l := sum (fun v => if inside v then sum (fun e => if_eq (h e) v (amount e)) l else 0) V).
  assert (E : sum (fun v => if inside v then supply flow back v else 0) V
    = A tail flow - A head flow + (A head back - A tail back)).
  { unfold A. clear. induction V as [|v W IH]; [reflexivity|]. cbn [sum]. rewrite IH, supply_split.
    destruct (inside v); lia. }
  rewrite E. unfold A.
  rewrite (sum_at tail amount flow), (sum_at head amount flow), (sum_at head amount back),
    (sum_at tail amount back) by (intros e I; apply ends; auto).
  assert (F : sum (fun e => if inside (tail e) then amount e else 0) flow
    - sum (fun e => if inside (head e) then amount e else 0) flow <= sum leaving flow).
  { assert (G : forall e, In e flow -> 0 <= amount e) by (intros e I; apply ends; auto).
    clear -G. induction flow as [|e l IH]; simpl; [lia|].
    assert (sum (fun e => if inside (tail e) then amount e else 0) l
      - sum (fun e => if inside (head e) then amount e else 0) l <= sum leaving l)
      by (apply IH; intros; apply G; right; assumption).
    pose proof (G e (or_introl eq_refl)) as P. unfold leaving at 1.
    destruct (inside (tail e)), (inside (head e)); simpl; lia. }
  assert (B : sum (fun e => if inside (head e) then amount e else 0) back
    <= sum (fun e => if inside (tail e) then amount e else 0) back).
  { apply sum_le. intros e I. destruct (ends e (or_intror I)) as (_ & _ & P). pose proof (closed e I) as Q.
    destruct (inside (tail e)), (inside (head e)); lia. }
  lia.
Qed.

End Cut.

Lemma nodup_flat_map : forall A B (f : A -> list B) (key : B -> A) l, NoDup l ->
  (forall x, In x l -> NoDup (f x) /\ forall y, In y (f x) -> key y = x) -> NoDup (flat_map f l).
Proof.
  intros A B f key l D. induction D as [|x l N D IH]; simpl; intros H; [constructor|].
  assert (G : NoDup (flat_map f l)) by (apply IH; intros; apply H; auto).
  destruct (H x (or_introl eq_refl)) as (P & Q).
  assert (K : forall y, In y (f x) -> ~ In y (flat_map f l)).
  { intros y I J. apply in_flat_map in J. destruct J as (z & Iz & J).
    destruct (H z (or_intror Iz)) as (_ & Qz). apply N. rewrite <- (Q y I), (Qz y J). exact Iz. }
  clear -P G K. induction (f x) as [|y m IH]; simpl; [exact G|]. inversion P; subst. constructor.
  - intros I. apply in_app_or in I. destruct I as [I | I]; [tauto|]. apply (K y); [left; reflexivity | exact I].
  - apply IH; auto. intros z I. apply K. right; exact I.
Qed.

Section Moment.
Variables (r : rules) (g : dag) (M : Z) (chosen : N -> list N).
Hypothesis once : recompute r = false.
Hypothesis S : sound g.
Hypothesis some_memory : 0 <= M.
Hypothesis readers : forall v w, In w (chosen v) -> In v (operands g w).
Variables (p1 p2 : list move) (x : N) (t : state).
Hypothesis played : run r g M (p1 ++ Compute x :: p2) (start g) = Some t.
Hypothesis ended : finished g t = true.

(* What has been in fast memory before x is computed. *)
Definition been (v : N) : bool := computes v p1 || loads v p1.
Definition costly (v : N) : bool := negb (is_input g v || output g v).

Lemma prefix : exists s, walks r g M (start g) p1 s.
Proof.
  pose proof (run_walks _ _ _ _ _ _ played) as W. apply walks_app in W. destruct W as (s & A & _). eauto.
Qed.
Lemma been_computed : forall v, been v = true -> is_input g v = false -> In (Compute v) p1.
Proof.
  intros v B Z. unfold been in B. apply orb_prop in B. rewrite computes_In, loads_In in B.
  destruct B as [B | B]; [exact B|]. destruct prefix as (s & A). apply (origin r g M p1 s v A Z). tauto.
Qed.
Lemma been_loaded : forall v, been v = true -> is_input g v = true -> loads v p1 = true.
Proof.
  intros v B Z. unfold been in B. apply orb_prop in B. destruct B as [B | B]; [|exact B].
  destruct prefix as (s & A). apply computes_In in B. pose proof (computed_no_input _ _ _ _ _ _ _ A B). congruence.
Qed.
Lemma red_been : forall s v, walks r g M (start g) p1 s -> In v (red s) -> been v = true.
Proof.
  intros s v A R. unfold been. apply orb_true_iff. rewrite computes_In, loads_In.
  destruct (red_came _ _ _ _ _ _ A v R) as [I | I]; [destruct I | tauto].
Qed.
Lemma been_closed : forall v u, been v = true -> In u (operands g v) -> been u = true.
Proof.
  intros v u B I. pose proof (been_computed v B (operand_not_input _ _ _ I)) as C. destruct prefix as (s & A).
  destruct (computed_at _ _ _ _ _ _ _ A C) as (a & b & y & E & W & _ & O).
  destruct (red_came _ _ _ _ _ _ W u (O u I)) as [J | J]; [destruct J|].
  unfold been. rewrite E. apply orb_true_iff. rewrite computes_In, loads_In, !in_app_iff. tauto.
Qed.

(* The moment itself: what is there, and how much room is left. *)
Lemma moment : exists s, walks r g M (start g) p1 s /\ tidy g s /\ used g s <= M - taken r g x
  /\ (forall u, In u (operands g x) -> In u (red s)) /\ (x < size g)%N /\ is_input g x = false
  /\ exists y, walks r g M y p2 t /\ red y = x :: red s /\ done y = x :: done s
     /\ step r g M (Compute x) (hd_error p2) s = Some y.
Proof.
  apply room_at; auto. intros v L. pose proof (positive g S v L). lia.
Qed.
Lemma not_again : ~ In (Compute x) p1 /\ ~ In (Compute x) p2.
Proof.
  pose proof (run_walks _ _ _ _ _ _ played) as W.
  destruct (computed_once _ _ _ _ _ _ _ _ once W) as (_ & A & B). auto.
Qed.
Lemma all_done : forall v, (v < size g)%N -> is_input g v = false ->
  In (Compute v) p1 \/ v = x \/ In (Compute v) p2.
Proof.
  intros v L Z. pose proof (run_walks _ _ _ _ _ _ played) as W.
  pose proof (all_computed r g M S _ t W ended v L Z) as C. apply in_app_or in C.
  destruct C as [C | [C | C]]; [tauto | injection C as <-; tauto | tauto].
Qed.

(* A value that has been in fast memory, is not there now, and is read later: it comes back. *)
Section Away.
Variables (s y : state) (u w : N).
Hypothesis at_x : walks r g M (start g) p1 s.
Hypothesis after_x : walks r g M y p2 t.
Hypothesis red_after : red y = x :: red s.
Hypothesis operands_there : forall v, In v (operands g x) -> In v (red s).
Hypothesis computed_x : is_input g x = false.
Hypothesis gone : ~ In u (red s).
Hypothesis was : been u = true.
Hypothesis reader : In u (operands g w).
Hypothesis reader_below : (w < size g)%N.
Hypothesis later : been w = false.

Lemma not_x : u <> x.
Proof. intros E. subst u. destruct not_again as (N & _). apply N, been_computed; auto. Qed.
Lemma not_recomputed : ~ In (Compute u) p2.
Proof.
  intros I. pose proof (run_walks _ _ _ _ _ _ played) as W.
  assert (Z : is_input g u = false).
  { eapply computed_no_input; [exact W | apply in_or_app; right; right; exact I]. }
  pose proof (been_computed u was Z) as J. apply in_split in J. destruct J as (a & b & E).
  rewrite E, <- app_assoc in W. simpl in W.
  destruct (computed_once _ _ _ _ _ _ _ _ once W) as (_ & _ & N). apply N.
  apply in_or_app. right. right. exact I.
Qed.
Lemma not_red_after : ~ In u (red y).
Proof. rewrite red_after. intros [E | I]; [apply not_x; auto | tauto]. Qed.
Lemma comes_back : In (Load u) p2.
Proof.
  pose proof (operand_not_input _ _ _ reader) as Z.
  destruct (all_done w reader_below Z) as [C | [-> | C]].
  - exfalso. unfold been in later. apply orb_false_iff in later. destruct later as (N & _).
    apply computes_In in C. congruence.
  - exfalso. apply gone, operands_there, reader.
  - destruct (computed_at _ _ _ _ _ _ _ after_x C) as (a & b & z & E & A & _ & O).
    destruct (red_came _ _ _ _ _ _ A u (O u reader)) as [H | [H | H]].
    + destruct (not_red_after H).
    + rewrite E. apply in_or_app; tauto.
    + destruct not_recomputed. rewrite E. apply in_or_app; tauto.
Qed.
Lemma first_of : forall p, In (Load u) p -> exists a b, p = a ++ Load u :: b /\ ~ In (Load u) a.
Proof.
  induction p as [|m p IH]; intros I; [destruct I|].
  assert (D : m = Load u \/ m <> Load u).
  { destruct m; try (right; discriminate). destruct (N.eq_dec v u) as [-> | E]; [left; auto | right; congruence]. }
  destruct D as [-> | D]; [exists [], p; simpl; tauto|].
  destruct I as [I | I]; [congruence|]. destruct (IH I) as (a & b & -> & N). exists (m :: a), b.
  split; [reflexivity|]. intros [E | J]; tauto.
Qed.
Lemma load_event : In (u, stage chosen u p1 + 1)%N (events g chosen (p1 ++ Compute x :: p2)).
Proof.
  destruct (first_of _ comes_back) as (a & b & E & N).
  assert (Still : stage chosen u (p1 ++ Compute x :: a) = stage chosen u p1).
  { unfold stage. do 2 f_equal. apply filter_ext_in. intros v I. apply readers in I.
    assert (X : (x =? v)%N = false).
    { apply N.eqb_neq. intros ->. apply gone, operands_there, I. }
    assert (K : computes v a = false).
    { apply not_true_iff_false. intros K. apply computes_In in K. pose proof after_x as B.
      rewrite E in B. apply walks_app in B. destruct B as (z & A & _).
      destruct (stays_away _ _ _ _ _ _ u A not_red_after N) as (_ & F).
      - intros J. apply not_recomputed. rewrite E. apply in_or_app; tauto.
      - exact (F v I K). }
    unfold computes in *. rewrite existsb_app. simpl. rewrite X, K. apply orb_false_r. }
  unfold events. rewrite E.
  replace (p1 ++ Compute x :: a ++ Load u :: b) with ((p1 ++ Compute x :: a) ++ Load u :: b)
    by (rewrite <- app_assoc; reflexivity).
  apply picks_In. simpl. rewrite Still.
  destruct (is_input g u) eqn:Z; simpl; [|left; reflexivity].
  assert (L : loads u (p1 ++ Compute x :: a) = true).
  { unfold loads. rewrite existsb_app. pose proof (been_loaded u was Z) as L. unfold loads in L. rewrite L. reflexivity. }
  rewrite L. left. reflexivity.
Qed.
Lemma store_event : costly u = true -> In (u, 0%N) (events g chosen (p1 ++ Compute x :: p2)).
Proof.
  intros C. unfold costly in C. apply negb_true_iff, orb_false_iff in C. destruct C as (Z & O).
  pose proof comes_back as L. apply in_split in L. destruct L as (a & b & E).
  pose proof (run_walks _ _ _ _ _ _ played) as W. rewrite E in W.
  replace (p1 ++ Compute x :: a ++ Load u :: b) with ((p1 ++ Compute x :: a) ++ Load u :: b) in W
    by (rewrite <- app_assoc; reflexivity).
  destruct (stored_before _ _ _ _ _ _ _ W) as [I | I]; [congruence|].
  assert (J : In (Store u) (p1 ++ Compute x :: p2)).
  { rewrite E. apply in_app_or in I. apply in_or_app. destruct I as [I | [I | I]]; [tauto | discriminate |].
    right; right. apply in_or_app. tauto. }
  apply in_split in J. destruct J as (c & d & ->). unfold events. apply picks_In. simpl.
  rewrite O. left. reflexivity.
Qed.
End Away.

(* A flow around x. *)
Variables (price : Z) (flow back : list edge) (V : list N).
Hypothesis some_price : 0 <= price.
Hypothesis distinct_V : NoDup V.
Hypothesis edges : forall e, In e flow \/ In e back -> In (tail e) V /\ In (head e) V /\ 0 <= amount e
  /\ In (tail e) (operands g (head e)) /\ (head e < size g)%N.
Hypothesis narrow : forall v, In v V -> through flow v <= price * words g v.

Lemma through_nonneg : forall v, 0 <= through flow v.
Proof.
  intros v. apply sum_nonneg. intros e I. unfold if_eq. destruct (tail e =? v)%N; [|lia].
  apply edges. auto.
Qed.
Definition idle : Z := price * taken r g x - price * M + sum (fun u => price * words g u - through flow u) (operands g x).
Definition held : Z := sum (fun v => if been v then supply flow back v else 0) V.

(* What goes through values that are away: none of them an operand, all of them moved later. *)
Theorem moment_away : exists away : N -> bool,
  held + idle <= sum (fun v => if away v then through flow v else 0) V
  /\ forall v, In v V -> away v = true -> 0 < through flow v -> ~ In v (operands g x)
     /\ (costly v = true -> In (v, 0%N) (events g chosen (p1 ++ Compute x :: p2)))
     /\ In (v, stage chosen v p1 + 1)%N (events g chosen (p1 ++ Compute x :: p2)).
Proof.
  destruct moment as (s & A & (D & B) & U & O & Lx & Zx & y & W & R & _).
  set (crossing v e := (tail e =? v)%N && been v && negb (been (head e))).
  set (cross v := sum (fun e => if crossing v e then amount e else 0) flow).
  set (away v := been v && negb (mem v (red s)) && existsb (crossing v) flow).
  set (kept v := mem v (red s) && negb (mem v (operands g x))).
  exists away.
  (* what leaves is alive *)
  assert (Value : held <= sum cross V).
  { eapply Z.le_trans; [apply (cut_most been flow back V distinct_V)|].
    - intros e I. destruct (edges e I) as (P1 & P2 & P3 & _). auto.
    - intros e I H. destruct (edges e (or_intror I)) as (_ & _ & _ & P4 & _). eapply been_closed; eauto.
    - unfold cross. rewrite sum_swap. apply sum_le. intros e I. unfold leaving, crossing.
      rewrite (sum_ext _ _ (fun v => if (tail e =? v)%N
         then if been v && negb (been (head e)) then amount e else 0 else 0)).
      + rewrite (sum_one (fun v => if been v && negb (been (head e)) then amount e else 0)); auto; [lia|].
        apply edges; auto.
      + intros v _. destruct (tail e =? v)%N; reflexivity. }
  (* an alive value is an operand, another one in fast memory, or away *)
  assert (Parts : forall v, In v V -> cross v <= (if mem v (operands g x) then through flow v else 0)
      + (if kept v then price * words g v else 0) + (if away v then through flow v else 0)).
  { intros v I. pose proof (through_nonneg v) as T. pose proof (narrow v I).
    assert (C : cross v <= through flow v).
    { apply sum_le. intros e J. unfold crossing, if_eq. assert (0 <= amount e) by (apply edges; auto).
      destruct (tail e =? v)%N; simpl; [destruct (been v && negb (been (head e))); lia | lia]. }
    unfold kept. destruct (mem v (operands g x)) eqn:P; simpl.
    - rewrite andb_false_r. destruct (away v); lia.
    - rewrite andb_true_r. destruct (mem v (red s)) eqn:Q; [destruct (away v); lia|].
      destruct (away v) eqn:E; [lia|]. unfold away in E. rewrite Q in E. simpl in E. rewrite andb_true_r in E.
      assert (cross v = 0); [|lia]. apply sum_zero. intros e J. destruct (crossing v e) eqn:K; [|reflexivity].
      exfalso. assert (been v = true) by (unfold crossing in K; apply andb_prop in K; destruct K as (K & _);
        apply andb_prop in K; tauto).
      rewrite H0 in E. simpl in E. assert (existsb (crossing v) flow = true) by (apply existsb_exists; eauto).
      congruence. }
  assert (Ops : sum (fun v => if mem v (operands g x) then through flow v else 0) V
      <= sum (through flow) (operands g x)).
  { rewrite <- (sum_filter _ (fun v => mem v (operands g x))). apply sum_incl.
    - intros; apply through_nonneg. - apply NoDup_filter, distinct_V.
    - intros v I. apply filter_In in I. apply mem_In; tauto. }
  assert (Kept : sum (fun v => if kept v then price * words g v else 0) V
      <= price * (M - taken r g x) - price * sum (words g) (operands g x)).
  { rewrite <- (sum_filter _ kept (fun v => price * words g v)), sum_times.
    assert (sum (words g) (filter kept V) + sum (words g) (operands g x) <= used g s).
    { rewrite <- sum_app. apply sum_incl.
      - intros v I. pose proof (positive g S v (B v I)); lia.
      - assert (E : forall v, In v (filter kept V) -> ~ In v (operands g x)).
        { intros v I. apply filter_In in I. destruct I as (_ & I). unfold kept in I. apply andb_prop in I.
          destruct I as (_ & I). apply negb_true_iff, mem_not_In in I. exact I. }
        assert (F : NoDup (filter kept V)) by (apply NoDup_filter, distinct_V).
        pose proof (distinct g S x Lx) as F'. clear -E F F'.
        induction (filter kept V) as [|v l IH]; simpl; [exact F'|]. inversion F; subst. constructor.
        + intros I. apply in_app_or in I. destruct I as [I | I]; [tauto|]. apply (E v); [left; auto | exact I].
        + apply IH; auto. intros z I. apply E. right; exact I.
      - intros v I. apply in_app_or in I. destruct I as [I | I]; [|apply O, I].
        apply filter_In in I. destruct I as (_ & I). unfold kept in I. apply andb_prop in I.
        apply mem_In; tauto. }
    nia. }
  assert (Sum : held <= sum (through flow) (operands g x)
      + (price * (M - taken r g x) - price * sum (words g) (operands g x))
      + sum (fun v => if away v then through flow v else 0) V).
  { eapply Z.le_trans; [exact Value|]. eapply Z.le_trans; [apply sum_le; exact Parts|].
    rewrite !sum_plus. lia. }
  assert (Idle : sum (fun u => price * words g u - through flow u) (operands g x)
      = price * sum (words g) (operands g x) - sum (through flow) (operands g x)).
  { clear. induction (operands g x) as [|u l IH]; simpl; lia. }
  split; [unfold idle; rewrite Idle; lia|].
  intros v Iv K _. unfold away in K. apply andb_prop in K. destruct K as (K & X). apply andb_prop in K.
  destruct K as (K & Q). apply negb_true_iff, mem_not_In in Q. apply existsb_exists in X.
  destruct X as (e & J & X). unfold crossing in X. apply andb_prop in X. destruct X as (X & Y).
  apply andb_prop in X. destruct X as (X & _). apply N.eqb_eq in X. apply negb_true_iff in Y.
  destruct (edges e (or_introl J)) as (_ & _ & _ & Op & Lw). rewrite X in Op.
  split; [intros I; apply Q, O, I|]. split.
  - intros C. eapply (store_event s y v (head e)); eauto.
  - eapply (load_event s y v (head e)); eauto.
Qed.

(* Charges that pay for what goes through each value, except operands, if it is away. *)
Section Charges.
Variables (above below : N -> bool).
Hypothesis above_been : forall v, In v V -> above v = true -> been v = true.
Hypothesis below_not : forall v, In v V -> below v = true -> been v = false.
Hypothesis balanced : forall v, In v V -> above v = false -> below v = false -> supply flow back v = 0.
Definition value : Z := sum (fun v => if above v then supply flow back v else 0) V.
Definition least : Z := value + idle.
Variables (times : Z) (charge : row -> Z).
Hypothesis times_nonneg : 0 <= times.
Hypothesis charge_nonneg : forall e, 0 <= charge e.
Hypothesis paid : forall v, In v V -> ~ In v (operands g x) -> 0 < through flow v ->
  times * through flow v <= (if costly v then charge (v, 0%N) else 0) + charge (v, stage chosen v p1 + 1)%N.

Lemma rows_paid : forall (away : N -> bool) (c : N -> Z),
  (forall v, In v V -> away v = true -> 0 < c v ->
     c v <= (if costly v then charge (v, 0%N) else 0) + charge (v, stage chosen v p1 + 1)%N
     /\ (costly v = true -> In (v, 0%N) (events g chosen (p1 ++ Compute x :: p2)))
     /\ In (v, stage chosen v p1 + 1)%N (events g chosen (p1 ++ Compute x :: p2))) ->
  sum (fun v => if away v then c v else 0) V <= sum charge (events g chosen (p1 ++ Compute x :: p2)).
Proof.
  intros away c H.
  set (rows v := (if costly v then [(v, 0%N)] else []) ++ [(v, stage chosen v p1 + 1)%N]).
  set (some := filter (fun v => away v && (0 <? c v)) V).
  assert (In_ : forall v, In v some -> In v V /\ away v = true /\ 0 < c v).
  { intros v I. apply filter_In in I. destruct I as (I & K). apply andb_prop in K. destruct K as (K & T).
    apply Z.ltb_lt in T. auto. }
  assert (Events : incl (flat_map rows some) (events g chosen (p1 ++ Compute x :: p2))).
  { intros e I. apply in_flat_map in I. destruct I as (v & I & J). destruct (In_ v I) as (Iv & Av & Cv).
    destruct (H v Iv Av Cv) as (_ & P & Q). unfold rows in J. apply in_app_or in J. destruct J as [J | [<- | []]]; [|exact Q].
    destruct (costly v); [|destruct J]. destruct J as [<- | []]. auto. }
  eapply Z.le_trans; [|apply (sum_incl _ charge (flat_map rows some)); [auto | | exact Events]].
  - rewrite sum_flat_map. eapply Z.le_trans with (sum c some).
    + unfold some. clear. induction V as [|v l IH]; simpl; [lia|].
      destruct (away v); simpl; [|exact IH]. destruct (Z.ltb_spec 0 (c v)); simpl; lia.
    + apply sum_le. intros v I. destruct (In_ v I) as (Iv & Av & Cv). destruct (H v Iv Av Cv) as (P & _).
      unfold rows. rewrite sum_app. destruct (costly v); simpl; lia.
  - apply (nodup_flat_map _ _ rows fst).
    + apply NoDup_filter, distinct_V.
    + intros v _. unfold rows. split.
      * destruct (costly v); simpl; [|repeat constructor; intros []].
        constructor; [|repeat constructor; intros []]. intros [E | []]. injection E. lia.
      * intros e J. destruct (costly v); simpl in J;
          repeat (destruct J as [<- | J]; [reflexivity|]); destruct J.
Qed.
Theorem moment_charges : times * least <= sum charge (events g chosen (p1 ++ Compute x :: p2)).
Proof.
  destruct moment_away as (away & Main & Each).
  assert (Value : value <= held).
  { apply sum_le. intros v I. destruct (above v) eqn:A; [rewrite (above_been v I A); lia|].
    destruct (below v) eqn:B; [rewrite (below_not v I B); lia|]. rewrite (balanced v I A B). destruct (been v); lia. }
  assert (Paid_ : sum (fun v => if away v then times * through flow v else 0) V
      <= sum charge (events g chosen (p1 ++ Compute x :: p2))).
  { apply rows_paid. intros v I A T.
    assert (T' : 0 < through flow v) by (pose proof (through_nonneg v); nia).
    destruct (Each v I A T') as (N & C & L). auto. }
  eapply Z.le_trans; [|exact Paid_].
  rewrite (sum_ext _ _ (fun v => times * (if away v then through flow v else 0))), sum_times.
  - apply Z.mul_le_mono_nonneg_l; [exact times_nonneg|]. unfold least. lia.
  - intros v _. destruct (away v); lia.
Qed.
End Charges.
End Moment.
