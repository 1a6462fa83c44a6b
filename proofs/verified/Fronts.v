(* Checks wavefronts and fronts (P3, P4): flows around one vertex, or the first of a set, to be
   computed; and in which stages of values that may be (P2). *)
Require Import List NArith ZArith Bool Lia.
From RedBlue Require Import Game Plays Compulsory Maps Dags Pieces Moments.
Import ListNotations.
Open Scope Z_scope.

(* The case in which one of some vertices comes first: flows by places of edges in the piece. *)
Record case := {
  first : list N;
  edges : list N;
  amounts : list Z;
  closures : list N;
  returns : list Z
}.

Definition most_flow : Z := 2 ^ 60.
Definition minimum (l : list Z) : Z := match l with [] => 0 | x :: rest => fold_left Z.min rest x end.
Lemma minimum_le : forall l x, In x l -> minimum l <= x.
Proof.
  assert (G : forall l a, fold_left Z.min l a <= a /\ forall x, In x l -> fold_left Z.min l a <= x).
  { induction l as [|y l IH]; simpl; intros a; [split; [lia | intros x []]|].
    destruct (IH (Z.min a y)) as (A & B). split; [lia|]. intros x [<- | I]; [lia | auto]. }
  intros [|y l] x I; [destruct I|]. simpl. destruct (G l y) as (A & B). destruct I as [<- | I]; auto.
Qed.

(* Sums without a stack, of what is asked for each of some things; None if any is refused. *)
Definition all_of {A B : Type} (f : A -> option B) (l : list A) : option (list B) :=
  fold_left (fun acc x => match acc, f x with Some ys, Some y => Some (y :: ys) | _, _ => None end) l (Some []).
Lemma all_of_spec : forall A B (f : A -> option B) l ys, all_of f l = Some ys ->
  (forall x, In x l -> exists y, f x = Some y /\ In y ys) /\ (forall y, In y ys -> exists x, In x l /\ f x = Some y).
Proof.
  intros A B f l ys. unfold all_of.
  set (op := fun acc x => match acc, f x with Some ys, Some y => Some (y :: ys) | _, _ => None end).
  assert (None_ : forall l, fold_left op l None = None) by (induction l0; simpl; auto).
  assert (G : forall l acc ys, fold_left op l (Some acc) = Some ys ->
    (forall y, In y acc -> In y ys) /\ (forall x, In x l -> exists y, f x = Some y /\ In y ys)
    /\ (forall y, In y ys -> In y acc \/ exists x, In x l /\ f x = Some y)).
  { clear l ys. induction l as [|x l IH]; simpl; intros acc ys H.
    - injection H as <-. split; [auto|]. split; [intros x [] | auto].
    - assert (Step : op (Some acc) x = match f x with Some y => Some (y :: acc) | None => None end) by reflexivity.
      change (fold_left op l (op (Some acc) x) = Some ys) in H. rewrite Step in H. destruct (f x) as [y |] eqn:E; [|rewrite None_ in H; discriminate].
      destruct (IH _ _ H) as (P & Q & R). split; [intros z I; apply P; right; exact I|]. split.
      + intros z [-> | I]; [|auto]. exists y. split; [exact E | apply P; left; reflexivity].
      + intros z I. destruct (R z I) as [[<- | J] | (w & J & K)]; eauto. }
  intros H. destruct (G l [] ys H) as (_ & P & Q). split; [exact P|].
  intros y I. destruct (Q y I) as [[] | J]. exact J.
Qed.

Section Fronts.
Variables (r : rules) (g : dag) (M : Z).

Definition price_of (v : N) : Z := if costly g v then 2 else 1.
Fixpoint pick (P : piece) (most : Z) (at_ : list N) (much : list Z) (acc : list edge) : option (list edge) :=
  match at_, much with
  | [], [] => Some acc
  | i :: at_', a :: much' =>
      if (1 <=? a) && (a <=? most)
      then match find (edge_at P) i with Some uv => pick P most at_' much' ((uv, a) :: acc) | None => None end
      else None
  | _, _ => None
  end.
Definition flow_of (P : piece) (at_ : list N) (much : list Z) : option (list edge) :=
  if rising 0 (edge_count P) at_
  then pick P (most_flow / (Z.of_N (edge_count P) + 1)) at_ much []
  else None.
Definition supplies (flow back : list edge) : map Z :=
  totals head amount back (totals tail (fun e => - amount e) back
    (totals head (fun e => - amount e) flow (totals tail amount flow (empty Z)))).

(* What a case proves for each vertex that may come first in it, and the flow through values. *)
Definition of_case (P : piece) (price : Z) (after : map unit) (can : map unit) (c : case)
  : option (list Z * map Z) :=
  match flow_of P (edges c) (amounts c), flow_of P (closures c) (returns c) with
  | Some flow, Some back =>
      let carried := totals tail amount flow (empty Z) in
      let grown := supplies flow back in
      let before := common g P (first c) in
      if forallb (has can) (first c) && negb (match first c with [] => true | _ => false end)
         && forallb (fun v => (get carried v <=? words g v * Z.min price (price_of v))
              && (before v || has after v || (get grown v =? 0))) (members P)
      then
        let value := total (fun v => if before v then get grown v else 0) (members P) in
        Some (rev_append (List.map (fun x => value - price * M + price * taken r g x
                + total (fun u => price * words g u - get carried u) (operands g x)) (first c)) [], carried)
      else None
  | _, _ => None
  end.
Definition of_front (P : piece) (price : Z) (front : list N) (cases : list case)
  : option (Z * list (map Z)) :=
  let (after, firsts) := follow g P front in
  let can := set_of firsts in
  let covered := fold_left (fun s c => insert_all (first c) s) cases (empty unit) in
  if negb (match front with [] => true | _ => false end)
     && forallb (fun v => has (inside P) v && negb (is_input g v)) front && forallb (has covered) firsts
  then match all_of (of_case P price after can) cases with
       | Some shown => Some (minimum (spread fst shown), List.map snd shown)
       | None => None
       end
  else None.

(* The most that flows carry through a value. *)
Definition most_carried (flows : list (map Z)) (v : N) : Z :=
  fold_left (fun most m => Z.max most (get m v)) flows 0.
Lemma most_carried_le : forall flows m v, In m flows -> get m v <= most_carried flows v.
Proof.
  intros flows m v. unfold most_carried.
  assert (G : forall l a, a <= fold_left (fun most m => Z.max most (get m v)) l a
      /\ (In m l -> get m v <= fold_left (fun most m => Z.max most (get m v)) l a)).
  { induction l as [|x l IH]; simpl; intros a; [split; [lia | intros []]|].
    destruct (IH (Z.max a (get x v))) as (A & B). split; [lia|]. intros [-> | I]; [lia | auto]. }
  apply G.
Qed.

Lemma pick_spec : forall P most at_ much acc l, proper g P -> pick P most at_ much acc = Some l ->
  forall e, In e l -> In e acc \/ (In (tail e) (members P) /\ In (head e) (members P) /\ 0 <= amount e
    /\ In (tail e) (operands g (head e)) /\ (head e < size g)%N).
Proof.
  intros P most at_. induction at_ as [|i at_ IH]; simpl; intros much acc l Pr H e I.
  - destruct much; [|discriminate]. injection H as <-. left. exact I.
  - destruct much as [|a much]; [discriminate|].
    destruct ((1 <=? a) && (a <=? most)) eqn:B; [|discriminate]. apply andb_prop in B. destruct B as (B & _).
    apply Z.leb_le in B. destruct (find (edge_at P) i) as [[u v] |] eqn:E; [|discriminate].
    destruct (IH _ _ _ Pr H e I) as [[<- | J] | J]; [|tauto|tauto].
    right. destruct (edge_ends g P Pr i u v E) as (A & C & D). unfold tail, head, amount. simpl.
    repeat split; auto; try lia. apply (members_below g P Pr v C).
Qed.
Lemma flow_spec : forall P at_ much l, proper g P -> flow_of P at_ much = Some l ->
  forall e, In e l -> In (tail e) (members P) /\ In (head e) (members P) /\ 0 <= amount e
    /\ In (tail e) (operands g (head e)) /\ (head e < size g)%N.
Proof.
  intros P at_ much l Pr H e I. unfold flow_of in H. destruct (rising _ _ _); [|discriminate].
  destruct (pick_spec _ _ _ _ _ _ Pr H e I) as [[] | J]. exact J.
Qed.
Lemma carried_is : forall flow v, get (totals tail amount flow (empty Z)) v = through flow v.
Proof. intros. rewrite get_totals, get_empty. reflexivity. Qed.
Lemma supplies_is : forall flow back v, get (supplies flow back) v = supply flow back v.
Proof.
  intros flow back v. unfold supplies. rewrite !get_totals, get_empty. unfold supply, if_eq.
  assert (D : forall A (p : A -> bool) (f : A -> Z) l,
      sum (fun x => if p x then - f x else 0) l = - sum (fun x => if p x then f x else 0) l).
  { intros A p f l. induction l as [|x l IH]; simpl; [reflexivity|]. destruct (p x); lia. }
  assert (D' : forall A (f h : A -> Z) l, sum (fun x => f x - h x) l = sum f l - sum h l)
    by (intros A f h l; induction l; simpl; lia).
  rewrite !D, !D'. lia.
Qed.

(* Stages: chosen readers that come before, or after, the first of a front. *)
Section Stages.
Variable chosen : N -> list N.
Definition stage_first (before : N -> bool) (v : N) : N := N.of_nat (length (filter before (chosen v))).
Definition stage_last (after : N -> bool) (v : N) : N :=
  N.of_nat (length (filter (fun w => negb (after w)) (chosen v))).
Lemma filter_length_le : forall (p q : N -> bool) l, (forall w, In w l -> p w = true -> q w = true) ->
  (length (filter p l) <= length (filter q l))%nat.
Proof.
  intros p q l. induction l as [|w l IH]; simpl; intros H; [lia|].
  assert (length (filter p l) <= length (filter q l))%nat by (apply IH; auto).
  destruct (p w) eqn:E; [rewrite (H w) by auto; simpl; lia | destruct (q w); simpl; lia].
Qed.
End Stages.

Section Play.
Variable chosen : N -> list N.
Hypothesis once : recompute r = false.
Hypothesis S : sound g.
Hypothesis some_memory : 0 <= M.
Hypothesis readers : forall v w, In w (chosen v) -> In v (operands g w).
Variables (p : list move) (t : state).
Hypothesis played : run r g M p (start g) = Some t.
Hypothesis ended : finished g t = true.

(* The first of a front to be computed. *)
Lemma first_computed : forall front, front <> [] -> (forall v, In v front -> (v < size g)%N /\ is_input g v = false) ->
  exists p1 x p2, p = p1 ++ Compute x :: p2 /\ In x front /\ forall v, In v front -> ~ In (Compute v) p1.
Proof.
  intros front NE F.
  assert (I : exists v, In v front /\ In (Compute v) p).
  { destruct front as [|v l]; [congruence|]. exists v. split; [left; reflexivity|].
    destruct (F v (or_introl eq_refl)) as (L & Z). eapply (all_computed r g M); eauto. eapply run_walks; eauto. }
  clear -I. induction p as [|m q IH]; destruct I as (v & I & J); [destruct J|].
  assert (D : (exists x, m = Compute x /\ In x front) \/ ~ exists x, m = Compute x /\ In x front).
  { destruct m as [x | x | x | x]; try (right; intros (y & E & _); discriminate).
    destruct (mem x front) eqn:E; [left; exists x; split; [reflexivity | apply mem_In; exact E]|].
    right. intros (y & E' & K). injection E' as <-. apply mem_In in K. congruence. }
  destruct D as [(x & -> & K) | D]; [exists [], x, q; split; [reflexivity | split; [exact K | intros w _ []]]|].
  destruct J as [-> | J]; [destruct D; eauto|].
  destruct IH as (p1 & x & p2 & -> & K & L); [eauto|]. exists (m :: p1), x, p2. split; [reflexivity|].
  split; [exact K|]. intros w Iw [E | C]; [apply D; eauto | exact (L w Iw C)].
Qed.

Variables (P whole : piece).
Hypothesis proper_P : proper g P.

(* THEOREM P3 and P4, with stages (P2). Whoever pays, for each value that a flow goes through, its
   words in every stage in which that may be, pays for what a front shows. Of a front of one vertex,
   `alone`, operands of it need not be paid for. *)
Theorem front_charges : forall (alone : bool) price front cases least flows (times : Z) (charge : row -> Z),
  0 <= price -> of_front P price front cases = Some (least, flows) -> 0 <= times -> (forall e, 0 <= charge e) ->
  (alone = true -> exists x, front = [x]) ->
  (forall v i, In v (members P) -> (alone = false \/ forall x, In x front -> ~ In v (operands g x)) ->
     0 < most_carried flows v ->
     (stage_first chosen (common g whole front) v <= i
        <= stage_last chosen (has (fst (follow g whole front))) v)%N ->
     times * most_carried flows v <= (if costly g v then charge (v, 0%N) else 0) + charge (v, i + 1)%N) ->
  times * Z.max 0 least <= sum charge (events g chosen p).
Proof.
  intros alone price front cases least flows times charge Pp H Tp Cp Al Paid.
  assert (Zero : 0 <= sum charge (events g chosen p)) by (apply sum_nonneg; auto).
  destruct (Z.max_spec 0 least) as [(Lt & ->) | (_ & ->)]; [|lia].
  unfold of_front in H. destruct (follow g P front) as (after & firsts) eqn:Fo.
  match type of H with (if ?c then _ else _) = _ => destruct c eqn:C; [|discriminate] end.
  apply andb_prop in C. destruct C as (C & Cov). apply andb_prop in C. destruct C as (NE & Fr).
  rewrite forallb_forall in Fr, Cov.
  destruct (all_of _ cases) as [shown |] eqn:Sh; [|discriminate]. injection H as <- <-.
  apply all_of_spec in Sh. destruct Sh as (Sh & _).
  assert (NE' : front <> []) by (destruct front; [discriminate | congruence]).
  assert (In_P : forall v, In v front -> In v (members P)).
  { intros v I. specialize (Fr v I). apply andb_prop in Fr. apply (inside_members g P proper_P), Fr. }
  assert (F : forall v, In v front -> (v < size g)%N /\ is_input g v = false).
  { intros v I. split; [apply (members_below g P proper_P), In_P, I|].
    specialize (Fr v I). apply andb_prop in Fr. destruct Fr as (_ & Fr). apply negb_true_iff, Fr. }
  destruct (first_computed front NE' F) as (p1 & x & p2 & E & Ix & First).
  pose proof played as R. rewrite E in R.
  set (B := fun v => been p1 v = true).
  assert (Closed : forall v u, B v -> In u (operands g v) -> B u) by (intros v u; eapply been_closed; eauto).
  destruct (moment r g M S some_memory p1 p2 x t R) as (s & A & T & U & O & Lx & Zx & _).
  assert (Ops : forall u, In u (operands g x) -> B u) by (intros u I; eapply red_been; eauto).
  assert (Not : forall v, In v front -> ~ B v).
  { intros v I Bv. destruct (F v I) as (L & Z). apply (First v I). eapply been_computed; eauto. }
  assert (Up : forall v u, ~ B u -> In u (operands g v) -> ~ B v) by (intros v u N I Bv; apply N; eauto).
  destruct (follow_sound g P front (fun v => ~ B v) Not Up) as (Fs & Ff). rewrite Fo in Fs, Ff. simpl in Fs, Ff.
  assert (Xf : In x firsts).
  { apply Ff; auto. }
  (* the case of x *)
  assert (Cx : exists c, In c cases /\ In x (first c)).
  { specialize (Cov x Xf). revert Cov. clear. assert (G : forall l s, has (fold_left (fun s c => insert_all (first c) s) l s) x = true ->
      has s x = true \/ exists c, In c l /\ In x (first c)).
    { induction l as [|c l IH]; simpl; intros s H; [tauto|]. destruct (IH _ H) as [K | (c' & I & J)]; [|right; eauto].
      apply has_insert_all in K. destruct K as [K | K]; [right; eauto | tauto]. }
    intros H. destruct (G _ _ H) as [K | K]; [rewrite has_empty in K; discriminate | exact K]. }
  destruct Cx as (c & Ic & Xc). destruct (Sh c Ic) as ((values & carried) & Oc & Is).
  unfold of_case in Oc.
  destruct (flow_of P (edges c) (amounts c)) as [flow |] eqn:Fl; [|discriminate].
  destruct (flow_of P (closures c) (returns c)) as [back |] eqn:Bk; [|discriminate].
  match type of Oc with (if ?c then _ else _) = _ => destruct c eqn:C; [|discriminate] end.
  apply andb_prop in C. destruct C as (_ & Ok). rewrite forallb_forall in Ok. injection Oc as <- Ec.
  assert (Ok' : forall v, In v (members P) -> through flow v <= words g v * Z.min price (price_of v)
      /\ (common g P (first c) v = false -> has after v = false -> supply flow back v = 0)).
  { intros v I. specialize (Ok v I). apply andb_prop in Ok. destruct Ok as (K & L). rewrite carried_is in K.
    rewrite supplies_is in L. apply Z.leb_le in K. split; [exact K|]. intros Q1 Q2. rewrite Q1, Q2 in L.
    apply Z.eqb_eq, L. }
  set (h := fun v => B v).
  assert (Above : forall v, common g P (first c) v = true -> been p1 v = true)
    by (intros v; apply (common_sound g P (first c) x B Xc Ops Closed)).
  assert (Below : forall v, has after v = true -> been p1 v = false)
    by (intros v Q; apply not_true_iff_false; exact (Fs v Q)).
  pose proof (moment_charges r g M chosen once S some_memory readers p1 p2 x t R ended price flow back (members P)
    Pp (members_distinct g P proper_P)) as Main.
  assert (Main' : times * least r g M x price flow back (members P) (common g P (first c))
      <= sum charge (events g chosen (p1 ++ Compute x :: p2))).
  { apply Main with (below := has after); auto.
    - intros e [I | I]; [exact (flow_spec P _ _ _ proper_P Fl e I) | exact (flow_spec P _ _ _ proper_P Bk e I)].
    - intros v I. destruct (Ok' v I) as (K & _). pose proof (positive g S v (members_below g P proper_P v I)). nia.
    - intros v I Q1 Q2. destruct (Ok' v I) as (_ & K). auto.
    - intros v I NI Th.
      assert (Le : through flow v <= most_carried (List.map snd shown) v).
      { rewrite <- carried_is, Ec. apply most_carried_le, in_map_iff. eexists. split; [|exact Is]. reflexivity. }
      assert (K : times * most_carried (List.map snd shown) v
          <= (if costly g v then charge (v, 0%N) else 0) + charge (v, stage chosen v p1 + 1)%N).
      { apply Paid; auto.
        - destruct alone eqn:Ea; [|left; reflexivity]. right. destruct (Al eq_refl) as (x' & Ef).
          rewrite Ef in Ix. destruct Ix as [-> | []]. rewrite Ef. intros y [<- | []]. exact NI.
        - lia.
        - unfold stage, stage_first, stage_last. split.
          + apply N2Z.inj_le. rewrite !nat_N_Z. apply Nat2Z.inj_le, filter_length_le. intros w Iw Q.
            assert (Bw : B w) by (apply (common_sound g whole front x B Ix Ops Closed w Q)).
            apply computes_In. eapply been_computed; eauto. apply (operand_not_input g w v), readers, Iw.
          + apply N2Z.inj_le. rewrite !nat_N_Z. apply Nat2Z.inj_le, filter_length_le. intros w Iw Q.
            destruct (has (fst (follow g whole front)) w) eqn:Q'; [|reflexivity]. exfalso.
            destruct (follow_sound g whole front (fun v => ~ B v) Not Up) as (Fs' & _).
            apply (Fs' w Q'). unfold B, been. rewrite Q. reflexivity. }
      nia. }
  rewrite <- E in Main'. eapply Z.le_trans; [|exact Main']. apply Z.mul_le_mono_nonneg_l; [exact Tp|].
  apply minimum_le, spread_In. eexists. split; [exact Is|]. simpl. rewrite rev_append_rev, app_nil_r, <- in_rev.
  apply in_map_iff. exists x. split; [|exact Xc]. unfold least, value, idle. rewrite !total_sum.
  rewrite (sum_ext _ _ (fun v => if common g P (first c) v then supply flow back v else 0))
    by (intros v _; rewrite supplies_is; reflexivity).
  rewrite (sum_ext _ (fun u => price * words g u - get (totals tail amount flow (empty Z)) u)
    (fun u => price * words g u - through flow u)) by (intros u _; rewrite carried_is; reflexivity).
  lia.
Qed.
End Play.
End Fronts.
