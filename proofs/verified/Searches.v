(* Complete search of the game on a piece, where values are computed once (E1).

   The search goes from set to set of computed vertices. Beside each set it keeps states, none of which
   is as good as another one; a play is at least as dear as some state all the way, so that no play has
   less excess than the claim if all states come to so much. Values leave when their room is needed, and
   pay then for the load that is to come, and for a store. *)
Require Import List NArith ZArith Bool Lia FMapPositive.
From RedBlue Require Import Game Plays Compulsory Maps Dags Pieces Moments Fronts Ledger Windows Reloads Held.
Import ListNotations.
Open Scope Z_scope.

Record node := { spent : Z; held : list entry }.
(* An operand of a step: its readers, as bits, and whether it is dirty when it comes from nothing. *)
Record operand := { op_value : N; op_words : Z; op_readers : N; op_fresh : bool }.
Record step_info := {
  st_vertex : N;
  st_bit : N;
  st_needs : N;                 (* the steps that make its operands, as bits *)
  st_operands : list operand;   (* in the piece *)
  st_room : Z;                  (* words that it leaves to other values *)
  st_readers : N;
  st_words : Z;
  st_dirty : bool
}.
(* A step after a set of steps: what comes, what nobody reads any more, and all operands. *)
Record plan := { pl_come : list entry; pl_gone : list N; pl_operands : list N; pl_room : Z }.

Section Search.
Variables (r : rules) (g : dag) (M : Z) (P : piece) (ranks : map N) (marks : map N) (limit : Z).
Definition is_step (v : N) : bool := match inner g P v with [] => false | _ => true end.
Definition bit (v : N) : N := match find ranks v with Some i => N.shiftl 1 i | None => 0%N end.
Definition bits_of (l : list N) : N := fold_left (fun s v => N.lor s (bit v)) l 0%N.
Definition did (D v : N) : bool := match find ranks v with Some i => N.testbit D i | None => false end.
Definition all_in (a D : N) : bool := (N.ldiff a D =? 0)%N.
Definition none_in (a D : N) : bool := (N.land a D =? 0)%N.
Definition needed (D u : N) : bool := negb (all_in (bits marks u) D).
Definition started (D u : N) : bool := did D u || negb (none_in (bits marks u) D).

Definition operand_of (u : N) : operand :=
  {| op_value := u; op_words := words g u; op_readers := bits marks u; op_fresh := costly g u && negb (is_step u) |}.
Definition step_of (v : N) : step_info :=
  {| st_vertex := v; st_bit := bit v; st_needs := bits_of (inner g P v);
     st_operands := List.map operand_of (inner g P v);
     st_room := M - taken r g v - sum (words g) (operands g v);
     st_readers := bits marks v; st_words := words g v; st_dirty := costly g v |}.
Definition plan_of (D D' : N) (st : step_info) : plan :=
  let still := fun o => negb (all_in (op_readers o) D') in
  let come := List.map (fun o => {| value := op_value o; weight := op_words o; dirty := op_fresh o && none_in (op_readers o) D |})
                (filter still (st_operands st)) in
  {| pl_come := if all_in (st_readers st) D' then come
                else {| value := st_vertex st; weight := st_words st; dirty := st_dirty st |} :: come;
     pl_gone := List.map op_value (filter (fun o => negb (still o)) (st_operands st));
     pl_operands := List.map op_value (st_operands st);
     pl_room := st_room st |}.
Definition after (pl : plan) (n : node) : node :=
  {| spent := spent n;
     held := fold_left (fun l e => add e l) (pl_come pl) (fold_left (fun l u => drop u l) (pl_gone pl) (held n)) |}.
Definition others (pl : plan) (n : node) : list entry := filter (fun e => negb (mem (value e) (pl_operands pl))) (held n).

(* A state beside others, unless one of them is as good. *)
Definition as_good (m n : node) : bool :=
  let slack := spent n - spent m in (0 <=? slack) && turns (held m) (held n) slack.
Definition enter_state (n : node) (l : list node) : list node :=
  if existsb (fun m => as_good m n) l then l else n :: filter (fun m => negb (as_good n m)) l.
Definition without (e : entry) (n : node) : node := {| spent := spent n + pays e; held := drop (value e) (held n) |}.
Fixpoint leave (cands : list entry) (need : Z) (n : node) (l : list node) : list node :=
  if limit <=? spent n + Z.max 0 need then l
  else if need <=? 0 then enter_state n l
  else match cands with
       | [] => l
       | c :: cs => leave cs need n (leave cs (need - weight c) (without c n) l)
       end.
Definition follow_state (pl : plan) (l : list node) (n : node) : list node :=
  let o := others pl n in leave o (sum weight o - pl_room pl) (after pl n) l.

(* States by the sets of steps that are done. *)
Definition layer := map (list node).
Definition at_set (m : layer) (D : N) : list node := match find m D with Some l => l | None => [] end.
Definition keep_set (m : layer) (D : N) (l : list node) : layer := match l with [] => m | _ => put m D l end.
Definition follow_set (steps : list step_info) (m : layer) (Dl : PositiveMap.key * list node) : layer :=
  let D := Pos.pred_N (fst Dl) in
  fold_left (fun m st =>
    if all_in (st_needs st) D && none_in (st_bit st) D then
      let D' := N.lor D (st_bit st) in
      keep_set m D' (fold_left (follow_state (plan_of D D' st)) (snd Dl) (at_set m D'))
    else m) steps m.
Inductive outcome := Shown | Cheaper | Large.
Fixpoint layers (fuel : nat) (full : N) (steps : list step_info) (left : Z) (m : layer) : outcome :=
  let sets := PositiveMap.elements m in
  match sets, fuel with
  | [], _ => Shown
  | _, O => Large
  | _, S fuel =>
      let left := left - total (fun Dl => Z.of_nat (length (snd Dl))) sets in
      if existsb (fun Dl : PositiveMap.key * list node => all_in full (Pos.pred_N (fst Dl))) sets then Cheaper
      else if left <? 0 then Large
      else layers fuel full steps left (fold_left (follow_set steps) sets (empty (list node)))
  end.

(* Sets as bits. *)
Hypothesis proper_P : proper g P.
Notation V := (members P).
Hypothesis ranked : forall v, In v V -> is_step v = true -> exists i, find ranks v = Some i.
Hypothesis unranked : forall v i, find ranks v = Some i -> In v V /\ is_step v = true.
Hypothesis apart : forall u v i, find ranks u = Some i -> find ranks v = Some i -> u = v.
Hypothesis marked : forall u i, N.testbit (bits marks u) i = true <-> exists w, find ranks w = Some i /\ In u (inner g P w).

Lemma bit_spec : forall v i, N.testbit (bit v) i = true <-> find ranks v = Some i.
Proof.
  intros v i. unfold bit. destruct (find ranks v) as [j |].
  - rewrite N.shiftl_1_l, N.pow2_bits_eqb, N.eqb_eq. split; [intros ->; reflexivity | intros E; injection E; auto].
  - rewrite N.bits_0. split; discriminate.
Qed.
Lemma bits_of_spec : forall l i, N.testbit (bits_of l) i = true <-> exists v, In v l /\ find ranks v = Some i.
Proof.
  intros l i. unfold bits_of.
  assert (G : forall l s, N.testbit (fold_left (fun s v => N.lor s (bit v)) l s) i = true
      <-> N.testbit s i = true \/ exists v, In v l /\ find ranks v = Some i).
  { induction l0 as [|x k IH]; simpl; intros s.
    - split; [auto | intros [H | (v & [] & _)]; exact H].
    - rewrite IH, N.lor_spec, orb_true_iff, bit_spec. split.
      + intros [[H | H] | (v & I & H)]; [auto | right; eauto | right; eauto].
      + intros [H | (v & [<- | I] & H)]; [auto | auto | right; eauto]. }
  rewrite G, N.bits_0. split; [intros [H | H]; [discriminate | exact H] | auto].
Qed.
Lemma all_in_spec : forall a D, all_in a D = true <-> forall i, N.testbit a i = true -> N.testbit D i = true.
Proof.
  intros a D. unfold all_in. rewrite N.eqb_eq. split.
  - intros E i T. assert (Q : N.testbit (N.ldiff a D) i = false) by (rewrite E; apply N.bits_0).
    rewrite N.ldiff_spec, T in Q. simpl in Q. apply negb_false_iff, Q.
  - intros H. apply N.bits_inj_0. intros i. rewrite N.ldiff_spec. destruct (N.testbit a i) eqn:T; [|reflexivity].
    rewrite (H i T). reflexivity.
Qed.
Lemma none_in_spec : forall a D, none_in a D = true <-> forall i, N.testbit a i = true -> N.testbit D i = false.
Proof.
  intros a D. unfold none_in. rewrite N.eqb_eq. split.
  - intros E i T. assert (Q : N.testbit (N.land a D) i = false) by (rewrite E; apply N.bits_0).
    rewrite N.land_spec, T in Q. exact Q.
  - intros H. apply N.bits_inj_0. intros i. rewrite N.land_spec. destruct (N.testbit a i) eqn:T; [|reflexivity].
    rewrite (H i T). reflexivity.
Qed.
Lemma did_spec : forall D v, did D v = true <-> exists i, find ranks v = Some i /\ N.testbit D i = true.
Proof.
  intros D v. unfold did. destruct (find ranks v) as [i |].
  - split; [eauto | intros (j & E & T); injection E as ->; exact T].
  - split; [discriminate | intros (j & E & _); discriminate].
Qed.
Lemma did_more : forall D v w, In v V -> is_step v = true -> did (N.lor D (bit v)) w = did D w || (v =? w)%N.
Proof.
  intros D v w I Z. apply eq_true_iff_eq. rewrite orb_true_iff, !did_spec, N.eqb_eq. split.
  - intros (i & E & T). rewrite N.lor_spec, orb_true_iff, bit_spec in T. destruct T as [T | T]; [left; eauto|].
    right. eapply apart; eauto.
  - intros [(i & E & T) | <-].
    + exists i. rewrite N.lor_spec, T. auto.
    + destruct (ranked v I Z) as (i & E). exists i. split; [exact E|]. rewrite N.lor_spec, orb_true_iff, bit_spec. auto.
Qed.
Lemma needed_spec : forall D u, needed D u = true <-> exists w, In w V /\ is_step w = true /\ In u (inner g P w) /\ did D w = false.
Proof.
  intros D u. unfold needed. rewrite negb_true_iff, <- not_true_iff_false, all_in_spec. split.
  - intros H. destruct (existsb (fun w => is_step w && mem u (inner g P w) && negb (did D w)) V) eqn:E.
    + apply existsb_exists in E. destruct E as (w & I & Q). apply andb_prop in Q. destruct Q as (Q & Nd).
      apply andb_prop in Q. destruct Q as (Z & Q). apply mem_In in Q. apply negb_true_iff in Nd. eauto.
    + exfalso. apply H. intros i T. apply marked in T. destruct T as (w & F & I). destruct (unranked w i F) as (J & Z).
      assert (Q : did D w = true).
      { apply not_false_iff_true. intros Nd.
        assert (existsb (fun w => is_step w && mem u (inner g P w) && negb (did D w)) V = true); [|congruence].
        apply existsb_exists. exists w. split; [exact J|]. rewrite Z, Nd, (proj2 (mem_In _ _) I). reflexivity. }
      apply did_spec in Q. destruct Q as (j & F' & T). rewrite F in F'. injection F' as <-. exact T.
  - intros (w & J & Z & I & Nd) H. destruct (ranked w J Z) as (i & F).
    assert (T : N.testbit (bits marks u) i = true) by (apply marked; eauto). apply H in T.
    assert (did D w = true) by (apply did_spec; eauto). congruence.
Qed.
Lemma started_spec : forall D u, started D u = true <-> did D u = true \/ exists w, In w V /\ is_step w = true /\ In u (inner g P w) /\ did D w = true.
Proof.
  intros D u. unfold started. rewrite orb_true_iff, negb_true_iff, <- not_true_iff_false, none_in_spec. split.
  - intros [H | H]; [auto|]. right.
    destruct (existsb (fun w => is_step w && mem u (inner g P w) && did D w) V) eqn:E.
    + apply existsb_exists in E. destruct E as (w & I & Q). apply andb_prop in Q. destruct Q as (Q & Nd).
      apply andb_prop in Q. destruct Q as (Z & Q). apply mem_In in Q. eauto.
    + exfalso. apply H. intros i T. apply marked in T. destruct T as (w & F & I). destruct (unranked w i F) as (J & Z).
      apply not_true_iff_false. intros T. assert (Q : did D w = true) by (apply did_spec; eauto).
      assert (existsb (fun w => is_step w && mem u (inner g P w) && did D w) V = true); [|congruence].
      apply existsb_exists. exists w. split; [exact J|]. rewrite Z, Q, (proj2 (mem_In _ _) I). reflexivity.
  - intros [H | (w & J & Z & I & Nd)]; [auto|]. right. intros H. apply did_spec in Nd. destruct Nd as (i & F & T).
    assert (T' : N.testbit (bits marks u) i = true) by (apply marked; eauto). apply H in T'. congruence.
Qed.

(* A play that wins. *)
Hypothesis once : recompute r = false.
Hypothesis S : sound g.
Hypothesis some_memory : 0 <= M.
Variables (chosen : N -> list N) (p : list move) (t : state).
Hypothesis played : run r g M p (start g) = Some t.
Hypothesis ended : finished g t = true.

Definition is_value (u : N) : bool := negb (bits marks u =? 0)%N.
Definition weighs (u : N) : Z := if is_value u then words g u else 0.
Lemma words_nonneg : forall v, In v V -> 0 <= words g v.
Proof. intros v I. pose proof (positive g S v (members_below g P proper_P v I)). lia. Qed.
Lemma weighs_nonneg : forall u, In u V -> 0 <= weighs u.
Proof. intros u I. unfold weighs. pose proof (words_nonneg u I). destruct (is_value u); lia. Qed.
Lemma weighs_read : forall v u, In v V -> is_step v = true -> In u (inner g P v) -> weighs u = words g u.
Proof.
  intros v u I Z J. destruct (ranked v I Z) as (i & F). unfold weighs, is_value.
  assert (T : N.testbit (bits marks u) i = true) by (apply marked; eauto).
  destruct (N.eqb_spec (bits marks u) 0) as [E | _]; [rewrite E, N.bits_0 in T; discriminate | reflexivity].
Qed.
Lemma weighs_needed : forall D u, needed D u = true -> weighs u = words g u.
Proof. intros D u H. apply needed_spec in H. destruct H as (w & I & Z & J & _). eapply weighs_read; eauto. Qed.
(* Words by which a value that is read in the piece exceeds the compulsory words so far. *)
Definition exceeds (a : list move) (u : N) : Z :=
  sum (fun e => if (fst e =? u)%N then weighs u else 0) (events g chosen a).
Lemma exceeds_snoc : forall a m u, exceeds (a ++ [m]) u = exceeds a u
  + match m with
    | Load v => if (v =? u)%N && negb (is_input g v && negb (loads v a)) then weighs u else 0
    | Store v => if (v =? u)%N && negb (output g v) then weighs u else 0
    | _ => 0
    end.
Proof.
  intros a m u. unfold exceeds, events. rewrite picks_app, sum_app. f_equal. cbn [picks app].
  rewrite app_nil_r. destruct m; cbn [extra]; try reflexivity.
  - destruct (is_input g v && negb (loads v a)); simpl; [rewrite andb_false_r; reflexivity|].
    rewrite andb_true_r. lia.
  - destruct (output g v); simpl; [rewrite andb_false_r; reflexivity|]. rewrite andb_true_r. lia.
Qed.
Lemma exceeds_nonneg : forall a u, In u V -> 0 <= exceeds a u.
Proof.
  intros a u I. apply sum_nonneg. intros e _. pose proof (weighs_nonneg u I). destruct (fst e =? u)%N; lia.
Qed.
Lemma exceeds_app : forall b a u, In u V -> exceeds a u <= exceeds (a ++ b) u.
Proof.
  intros b a u I. unfold exceeds, events. rewrite picks_app, sum_app.
  assert (0 <= sum (fun e : row => if (fst e =? u)%N then weighs u else 0) (picks (extra g chosen) ([] ++ a) b)); [|lia].
  apply sum_nonneg. intros e _. pose proof (weighs_nonneg u I). destruct (fst e =? u)%N; lia.
Qed.
Lemma exceeds_stored : forall a u, In u V -> output g u = false -> In (Store u) a -> weighs u <= exceeds a u.
Proof.
  intros a u I O J. apply in_split in J. destruct J as (c & d & ->).
  replace (c ++ Store u :: d) with ((c ++ [Store u]) ++ d) by (rewrite <- app_assoc; reflexivity).
  eapply Z.le_trans; [|apply exceeds_app, I]. rewrite exceeds_snoc, N.eqb_refl, O. simpl.
  pose proof (exceeds_nonneg c u I). lia.
Qed.

Lemma inner_spec : forall v u, In u (inner g P v) <-> In u (operands g v) /\ In u V.
Proof. intros v u. unfold inner. rewrite filter_In, (inside_members g P proper_P). tauto. Qed.
Lemma step_no_input : forall v, is_step v = true -> is_input g v = false.
Proof.
  intros v Z. unfold is_step in Z. destruct (inner g P v) as [|u l] eqn:E; [discriminate|].
  apply (operand_not_input g v u). apply inner_spec. rewrite E. left; reflexivity.
Qed.

(* What a state turns into for what: the words for which a state of the search becomes one of the play. *)
Definition turn (D : N) (l : list entry) (x : state) (u : N) : Z :=
  if started D u && needed D u then
    turning (words g u) (lookup l u)
      (if mem u (red x) then Some (negb (mem u (blue x))) else None)
  else 0.
Definition paid (D : N) (a : list move) (x : state) (u : N) : Z :=
  if started D u then exceeds a u + (if needed D u && negb (mem u (red x)) then words g u else 0) else 0.
Definition known (D : N) (n : node) : Prop :=
  above 0 (held n) /\ forall e, In e (held n) -> weight e = words g (value e) /\ In (value e) V
    /\ (dirty e = true -> costly g (value e) = true) /\ started D (value e) = true /\ needed D (value e) = true.
Definition same_steps (D : N) (a : list move) : Prop :=
  forall v, In v V -> is_step v = true -> (did D v = true <-> In (Compute v) a).
Definition covers (D : N) (n : node) (a : list move) (x : state) : Prop :=
  walks r g M (start g) a x /\ same_steps D a /\ known D n /\ spent n + sum (turn D (held n) x) V <= sum (paid D a x) V.

Lemma turn_nonneg : forall D l x u, In u V -> 0 <= turn D l x u.
Proof. intros D l x u I. unfold turn. destruct (_ && _); [|lia]. apply turning_nonneg, words_nonneg, I. Qed.

Lemma started_came : forall D a x u, walks r g M (start g) a x -> same_steps D a -> In u V -> started D u = true ->
  if is_input g u then In (Load u) a else In (Compute u) a.
Proof.
  intros D a x u W Sm I H. apply started_spec in H. destruct H as [H | (w & J & Z & K & H)].
  - pose proof H as H'. apply did_spec in H'. destruct H' as (i & F & _). destruct (unranked u i F) as (_ & Z).
    rewrite (step_no_input u Z). apply (Sm u I Z), H.
  - apply (Sm w J Z) in H. destruct (computed_at _ _ _ _ _ _ _ W H) as (c & d & y & -> & W' & _ & O).
    apply inner_spec in K. destruct K as (K & _). specialize (O u K). destruct (is_input g u) eqn:Zu.
    + apply in_or_app; left. apply (input_loaded r g M c y u W' Zu O).
    + apply in_or_app; left. apply (origin r g M c y u W' Zu). tauto.
Qed.
Lemma unstarted_new : forall D a u, same_steps D a -> In u V -> is_step u = true -> started D u = false -> ~ In (Compute u) a.
Proof.
  intros D a u Sm I Z H J. apply (Sm u I Z) in J.
  assert (started D u = true) by (apply started_spec; auto). congruence.
Qed.
(* A place in the play. *)
Definition reached (a b : list move) (x : state) : Prop :=
  p = a ++ b /\ walks r g M (start g) a x /\ run r g M b x = Some t /\ tidy g x /\ roomy g M x b.
Lemma begins_reached : reached [] p (start g).
Proof.
  split; [reflexivity|]. split; [constructor|]. split; [exact played|]. split; [apply start_tidy | apply start_roomy, some_memory].
Qed.
Lemma reached_next : forall a m b x, reached a (m :: b) x ->
  exists y, step r g M m (hd_error b) x = Some y /\ reached (a ++ [m]) b y.
Proof.
  intros a m b x (E & W & R & T & Ro). simpl in R. destruct (step r g M m (hd_error b) x) as [y |] eqn:K; [|discriminate].
  exists y. split; [reflexivity|]. split; [rewrite <- app_assoc; exact E|]. split.
  - apply walks_app. exists x. split; [exact W|]. econstructor; [exact K | constructor].
  - split; [exact R|]. split; [eapply step_tidy; eauto|]. eapply step_roomy; eauto.
    intros v L. pose proof (positive g S v L). lia.
Qed.
(* A value of which a reader is to come. *)
Lemma reader_to_come : forall D a b x u, reached a b x -> same_steps D a -> In u V ->
  needed D u = true -> exists w c d y, b = c ++ Compute w :: d /\ walks r g M x c y /\ In u (red y).
Proof.
  intros D a b x u (E & W & R & _) Sm I H. apply needed_spec in H. destruct H as (w & J & Z & K & H).
  pose proof (run_walks _ _ _ _ _ _ played) as All.
  pose proof (all_computed r g M S p t All ended w (members_below g P proper_P w J) (step_no_input w Z)) as C.
  rewrite E in C. apply in_app_or in C. destruct C as [C | C].
  - apply (Sm w J Z) in C. congruence.
  - apply run_walks in R. destruct (computed_at _ _ _ _ _ _ _ R C) as (c & d & y & -> & W' & _ & O).
    apply inner_spec in K. destruct K as (K & _). exists w, c, d, y. auto.
Qed.
Lemma not_recomputed_later : forall D a b x u, reached a b x -> same_steps D a -> In u V -> started D u = true ->
  ~ In (Compute u) b.
Proof.
  intros D a b x u (E & W & R & _) Sm I H J. pose proof (started_came D a x u W Sm I H) as C.
  pose proof (run_walks _ _ _ _ _ _ R) as B. pose proof (computed_no_input _ _ _ _ _ _ _ B J) as Z. rewrite Z in C.
  apply in_split in C. destruct C as (c & d & ->).
  pose proof (run_walks _ _ _ _ _ _ played) as All. rewrite E, <- app_assoc in All. simpl in All.
  destruct (computed_once _ _ _ _ _ _ _ _ once All) as (_ & _ & N). apply N, in_or_app. auto.
Qed.
(* What is away, and nowhere else, is lost. *)
Lemma not_lost : forall D a b x u, reached a b x -> same_steps D a -> In u V -> started D u = true -> needed D u = true ->
  In u (red x) \/ In u (blue x).
Proof.
  intros D a b x u Re Sm I St Ne. destruct (in_dec N.eq_dec u (red x)) as [Q | Q]; [auto|].
  destruct (in_dec N.eq_dec u (blue x)) as [Q' | Q']; [auto|]. exfalso.
  pose proof (not_recomputed_later D a b x u Re Sm I St) as Nc.
  destruct (reader_to_come D a b x u Re Sm I Ne) as (w & c & d & y & -> & Wc & Ry).
  assert (G : forall q z, walks r g M x q z -> (forall m, In m q -> In m c) -> ~ In u (red z) /\ ~ In u (blue z)).
  { induction q as [|m q IH] using rev_ind; intros z X Sub; [inversion X; subst; auto|].
    apply walks_app in X. destruct X as (s & Y & X). destruct (IH s Y) as (R1 & B1).
    { intros k J. apply Sub, in_or_app. auto. }
    destruct (walks_one _ _ _ _ _ _ X) as (next & K). apply step_cases in K.
    destruct m as [v | v | v | v].
    - destruct K as (_ & Bw & _ & _ & Q1 & Q2 & _). rewrite Q1, Q2. split; [|exact B1]. intros [<- | J]; tauto.
    - destruct K as (_ & Rw & _ & Q1 & Q2 & _). rewrite Q1, Q2. split; [exact R1|]. intros [<- | J]; tauto.
    - destruct K as (_ & _ & _ & _ & _ & _ & Q1 & Q2 & _). rewrite Q1, Q2. split; [|exact B1].
      intros [E | J]; [|tauto]. subst v. apply Nc, in_or_app. left. apply Sub, in_or_app. right; left; reflexivity.
    - destruct K as (_ & _ & Q1 & Q2 & _). rewrite Q1, Q2, in_without. tauto. }
  destruct (G c y Wc (fun m J => J)). tauto.
Qed.
(* A value that is away is loaded again, beyond the compulsory words. *)
Lemma paid_most : forall D a b x u, reached a b x -> same_steps D a -> In u V -> paid D a x u <= exceeds p u.
Proof.
  intros D a b x u Re Sm I. pose proof Re as (E & W & R & _). unfold paid.
  destruct (started D u) eqn:St; [|apply exceeds_nonneg, I].
  destruct (needed D u) eqn:Ne; simpl; [|rewrite E, Z.add_0_r; apply exceeds_app, I].
  destruct (mem u (red x)) eqn:Rd; simpl; [rewrite E, Z.add_0_r; apply exceeds_app, I|].
  apply mem_not_In in Rd. destruct (reader_to_come D a b x u Re Sm I Ne) as (w & c & d & y & Eb & Wc & Ry).
  pose proof (not_recomputed_later D a b x u Re Sm I St) as Nc.
  assert (L : In (Load u) c).
  { destruct (red_came _ _ _ _ _ _ Wc u Ry) as [Q | [Q | Q]]; [tauto | exact Q|]. destruct Nc. rewrite Eb. apply in_or_app; auto. }
  apply in_split in L. destruct L as (c1 & c2 & Ec).
  assert (Ep : p = (a ++ c1 ++ [Load u]) ++ c2 ++ Compute w :: d) by (rewrite E, Eb, Ec, <- !app_assoc; reflexivity).
  rewrite Ep. eapply Z.le_trans; [|apply exceeds_app, I]. rewrite app_assoc, exceeds_snoc, N.eqb_refl.
  assert (F : is_input g u && negb (loads u (a ++ c1)) = false).
  { destruct (is_input g u) eqn:Z; [|reflexivity]. pose proof (started_came D a x u W Sm I St) as C. rewrite Z in C.
    assert (Q : loads u (a ++ c1) = true) by (apply loads_In, in_or_app; auto). rewrite Q. reflexivity. }
  rewrite F, (weighs_needed D u Ne). simpl. pose proof (exceeds_app c1 a u I). lia.
Qed.

Lemma mem_cons : forall u v l, mem u (v :: l) = (u =? v)%N || mem u l.
Proof. reflexivity. Qed.
Lemma mem_without : forall u v l, mem u (filter (fun x => negb (x =? v)%N) l) = mem u l && negb (u =? v)%N.
Proof.
  intros u v l. apply eq_true_iff_eq. rewrite andb_true_iff, negb_true_iff, N.eqb_neq, !mem_In. apply in_without.
Qed.
(* Other moves than computations of steps change nothing for a state of the search. *)
Lemma covers_on : forall D n a m b x y, reached a (m :: b) x -> step r g M m (hd_error b) x = Some y ->
  reached (a ++ [m]) b y -> (forall v, m = Compute v -> ~ (In v V /\ is_step v = true)) ->
  covers D n a x -> covers D n (a ++ [m]) y.
Proof.
  intros D n a m b x y Re K Ry Other (W & Sm & Kn & Sum).
  assert (Sm' : same_steps D (a ++ [m])).
  { intros v I Z. rewrite (Sm v I Z), in_app_iff. split; [auto|]. intros [J | [J | []]]; [exact J|].
    destruct (Other v J). auto. }
  split; [apply Ry|]. split; [exact Sm'|]. split; [exact Kn|].
  assert (Step : forall u, In u V -> turn D (held n) y u + paid D a x u <= turn D (held n) x u + paid D (a ++ [m]) y u).
  { intros u I. pose proof (words_nonneg u I) as Pw. pose proof (weighs_nonneg u I) as Pv. pose proof (weighs_needed D u) as Wn.
    unfold turn, paid. destruct (started D u) eqn:St; simpl; [|lia].
    rewrite exceeds_snoc. destruct Kn as (Ab & Kn).
    assert (Di : lookup (held n) u = Some true -> costly g u = true).
    { intros L. apply lookup_some in L. destruct L as (e & Ie & <- & De). apply (Kn e Ie), De. }
    pose proof (started_came D a x u W Sm I St) as Came.
    apply step_cases in K. destruct m as [v | v | v | v].
    - destruct K as (_ & Bx & Nx & _ & Q1 & Q2 & _). rewrite Q1, Q2, mem_cons, (N.eqb_sym u v).
      destruct (N.eqb_spec v u) as [-> | _]; simpl; [|lia].
      assert (Lo : is_input g u && negb (loads u a) = false).
      { destruct (is_input g u) eqn:Z; [|reflexivity]. apply loads_In in Came. rewrite Came. reflexivity. }
      rewrite Lo. simpl. apply mem_not_In in Nx. rewrite Nx. apply mem_In in Bx. rewrite Bx. simpl.
      destruct (needed D u); simpl; [rewrite (Wn eq_refl) | lia]. destruct (lookup (held n) u) as [[|]|]; unfold turning, parting, andb, negb; lia.
    - destruct K as (_ & Rx & Nx & Q1 & Q2 & _). rewrite Q1, Q2, mem_cons, (N.eqb_sym u v).
      destruct (N.eqb_spec v u) as [-> | _]; simpl; [|lia].
      apply mem_not_In in Nx. rewrite Nx. apply mem_In in Rx. rewrite Rx. simpl.
      destruct (needed D u); simpl; [rewrite (Wn eq_refl) | destruct (output g u); simpl; lia].
      destruct (lookup (held n) u) as [[|]|] eqn:Lk; unfold turning, parting, andb, negb; try (destruct (output g u); lia).
      specialize (Di eq_refl). unfold costly in Di. apply negb_true_iff, orb_false_iff in Di. destruct Di as (_ & O).
      rewrite O. lia.
    - destruct K as (_ & _ & Nx & _ & _ & _ & Q1 & Q2 & _). rewrite Q1, Q2, mem_cons.
      destruct (N.eqb_spec u v) as [-> | _]; simpl; [|lia].
      exfalso. apply (not_recomputed_later D a (Compute v :: b) x v Re Sm I St). left; reflexivity.
    - destruct K as (_ & Rx & Q1 & Q2 & _). rewrite Q1, Q2, mem_without.
      destruct (N.eqb_spec u v) as [-> | _]; simpl; [|rewrite andb_true_r; lia]. rewrite andb_false_r.
      apply mem_In in Rx. rewrite Rx. simpl. destruct (needed D v) eqn:Ne; simpl; [|lia].
      assert (Bl : mem v (blue x) = true).
      { apply mem_In. destruct (not_lost D _ _ y v Ry Sm' I St Ne) as [Q | Q]; [|rewrite Q2 in Q; exact Q].
        rewrite Q1, in_without in Q. tauto. }
      rewrite Bl. simpl. destruct (lookup (held n) v) as [[|]|]; unfold turning, parting, andb, negb; lia. }
  assert (sum (fun u => turn D (held n) y u + paid D a x u) V <= sum (fun u => turn D (held n) x u + paid D (a ++ [m]) y u) V)
    by (apply sum_le; exact Step).
  rewrite !sum_plus in *. lia.
Qed.
Lemma covers_on_to : forall b a x D n, reached a b x -> covers D n a x ->
  (forall v, In v V -> is_step v = true -> ~ In (Compute v) b) \/
  exists c v d y, b = c ++ Compute v :: d /\ In v V /\ is_step v = true /\ reached (a ++ c) (Compute v :: d) y /\ covers D n (a ++ c) y.
Proof.
  induction b as [|m b IH]; intros a x D n Re Co; [left; intros v _ _ []|].
  assert (Dec : (exists v, m = Compute v /\ In v V /\ is_step v = true) \/ forall v, m = Compute v -> ~ (In v V /\ is_step v = true)).
  { destruct m as [v | v | v | v]; try (right; intros; discriminate).
    destruct (in_dec N.eq_dec v V) as [I | I]; [|right; intros u E; injection E as <-; tauto].
    destruct (is_step v) eqn:Z; [left; eauto | right; intros u E; injection E as <-; intros (_ & Q); congruence]. }
  destruct Dec as [(v & -> & I & Z) | Other].
  - right. exists [], v, b, x. rewrite app_nil_r. auto.
  - destruct (reached_next _ _ _ _ Re) as (y & K & Ry).
    pose proof (covers_on _ _ _ _ _ _ _ Re K Ry Other Co) as Cy. destruct (IH _ _ _ _ Ry Cy) as [N | (c & v & d & z & -> & I & Z & Rz & Cz)].
    + left. intros v I Z [E | J]; [apply (Other v E); auto | exact (N v I Z J)].
    + right. exists (m :: c), v, d, z. rewrite <- !app_assoc in *. auto.
Qed.

(* A step of the play, and what follows a state of the search. *)
Lemma lookup_drops : forall gone l u, above 0 l ->
  lookup (fold_left (fun l u => drop u l) gone l) u = (if mem u gone then None else lookup l u)
  /\ above 0 (fold_left (fun l u => drop u l) gone l).
Proof.
  induction gone as [|x gone IH]; intros l u A; cbn [fold_left]; [auto|].
  destruct (IH (drop x l) u (above_drop x l 0%N A)) as (E & B). split; [|exact B].
  rewrite E, mem_cons, (lookup_drop x l 0%N u A), (N.eqb_sym u x). destruct (x =? u)%N, (mem u gone); reflexivity.
Qed.
Lemma in_drops : forall gone l e, above 0 l -> In e (fold_left (fun l u => drop u l) gone l) -> In e l /\ ~ In (value e) gone.
Proof.
  induction gone as [|x gone IH]; intros l e A I; cbn [fold_left] in I; [auto|].
  destruct (IH _ _ (above_drop x l 0%N A) I) as (J & N). destruct (in_drop x l 0%N e A J) as (J' & N').
  split; [exact J'|]. intros [E | K]; [congruence | exact (N K)].
Qed.
Lemma lookup_adds : forall come l u, above 0 l ->
  lookup (fold_left (fun l e => add e l) come l) u = match lookup l u with Some d => Some d | None => lookup come u end
  /\ above 0 (fold_left (fun l e => add e l) come l).
Proof.
  induction come as [|e come IH]; intros l u A; cbn [fold_left].
  - split; [simpl; destruct (lookup l u); reflexivity | exact A].
  - destruct (IH (add e l) u (above_add e l 0%N A (N.le_0_l _))) as (E & B). split; [|exact B].
    rewrite E, (lookup_add e l 0%N u A). cbn [lookup]. destruct (value e =? u)%N; [|reflexivity].
    destruct (lookup l u); reflexivity.
Qed.
Lemma in_adds : forall come l e, In e (fold_left (fun l e => add e l) come l) -> In e come \/ In e l.
Proof.
  induction come as [|x come IH]; intros l e I; cbn [fold_left] in I; [auto|].
  destruct (IH _ _ I) as [J | J]; [left; right; exact J|]. destruct (in_add _ _ _ J) as [-> | K]; [left; left; reflexivity | auto].
Qed.
Lemma started_more : forall D v u, In v V -> is_step v = true -> started D u = true -> started (N.lor D (bit v)) u = true.
Proof.
  intros D v u I Z H. apply started_spec. apply started_spec in H. destruct H as [H | (w & A & B & C & H)].
  - left. rewrite did_more by assumption. rewrite H. reflexivity.
  - right. exists w. rewrite did_more by assumption. rewrite H. auto.
Qed.
Lemma needed_less : forall D v u, In v V -> is_step v = true -> needed (N.lor D (bit v)) u = true -> needed D u = true.
Proof.
  intros D v u I Z H. apply needed_spec. apply needed_spec in H. destruct H as (w & A & B & C & H).
  rewrite did_more in H by assumption. apply orb_false_iff in H. exists w. tauto.
Qed.
Lemma needed_still : forall D v u, In v V -> is_step v = true -> needed D u = true -> ~ In u (inner g P v) -> needed (N.lor D (bit v)) u = true.
Proof.
  intros D v u I Z H N. apply needed_spec. apply needed_spec in H. destruct H as (w & A & B & C & H).
  exists w. rewrite did_more by assumption. rewrite H. destruct (N.eqb_spec v w) as [-> | _]; [tauto | auto].
Qed.

Section Step.
Variables (D v : N).
Hypothesis member : In v V.
Hypothesis is_one : is_step v = true.
Let D' := N.lor D (bit v).
Let pl := plan_of D D' (step_of v).
Lemma come_spec : forall e, In e (pl_come pl) -> weight e = words g (value e) /\ In (value e) V /\ needed D' (value e) = true
  /\ (dirty e = true -> costly g (value e) = true)
  /\ (value e = v \/ (In (value e) (inner g P v) /\ (started D (value e) = true -> dirty e = false))).
Proof.
  intros e I.
  assert (J : (e = {| value := v; weight := words g v; dirty := costly g v |} /\ needed D' v = true)
    \/ exists u, In u (inner g P v) /\ needed D' u = true
       /\ e = {| value := u; weight := words g u; dirty := (costly g u && negb (is_step u)) && none_in (bits marks u) D |}).
  { unfold pl, plan_of in I. cbn [pl_come] in I.
    assert (K : In e (List.map (fun o => {| value := op_value o; weight := op_words o; dirty := op_fresh o && none_in (op_readers o) D |})
      (filter (fun o => negb (all_in (op_readers o) D')) (st_operands (step_of v)))) ->
      exists u, In u (inner g P v) /\ needed D' u = true
       /\ e = {| value := u; weight := words g u; dirty := (costly g u && negb (is_step u)) && none_in (bits marks u) D |}).
    { intros K. apply in_map_iff in K. destruct K as (o & <- & K). apply filter_In in K. destruct K as (K & Q).
      cbn [step_of st_operands] in K. apply in_map_iff in K. destruct K as (u & <- & K). exists u. auto. }
    cbn [step_of st_readers] in I. destruct (all_in (bits marks v) D') eqn:E; [right; apply K, I|].
    destruct I as [<- | I]; [left | right; apply K, I]. split; [reflexivity|]. unfold needed. rewrite E. reflexivity. }
  destruct J as [(-> & Ne) | (u & K & Ne & ->)]; cbn [value weight dirty].
  - repeat split; auto.
  - repeat split; auto.
    + apply inner_spec in K. tauto.
    + intros Q. apply andb_prop in Q. destruct Q as (Q & _). apply andb_prop in Q. tauto.
    + right. split; [exact K|]. intros St. unfold started in St. apply orb_prop in St. destruct St as [St | St].
      * apply did_spec in St. destruct St as (i & F & _). destruct (unranked u i F) as (_ & Z). rewrite Z.
        rewrite andb_false_r. reflexivity.
      * apply negb_true_iff in St. rewrite St. apply andb_false_r.
Qed.
Lemma gone_spec : forall u, In u (pl_gone pl) <-> In u (inner g P v) /\ needed D' u = false.
Proof.
  intros u. unfold pl, plan_of. cbn [pl_gone step_of st_operands]. rewrite in_map_iff. split.
  - intros (o & <- & I). apply filter_In in I. destruct I as (I & Q). apply in_map_iff in I. destruct I as (w & <- & I).
    cbn [operand_of op_value op_readers] in *. split; [exact I|]. rewrite negb_involutive in Q. unfold needed. rewrite Q. reflexivity.
  - intros (I & Q). exists (operand_of u). split; [reflexivity|]. apply filter_In. split; [apply in_map; exact I|].
    cbn [operand_of op_readers]. unfold needed in Q. rewrite Q. reflexivity.
Qed.
Lemma lookup_after : forall n u, known D n -> lookup (held (after pl n)) u
  = match (if mem u (pl_gone pl) then None else lookup (held n) u) with Some d => Some d | None => lookup (pl_come pl) u end.
Proof.
  intros n u (A & _). unfold after. cbn [held]. destruct (lookup_drops (pl_gone pl) (held n) u A) as (E & B).
  destruct (lookup_adds (pl_come pl) _ u B) as (F & _). rewrite F, E. reflexivity.
Qed.
Lemma known_after : forall n, known D n -> known D' (after pl n).
Proof.
  intros n (A & K). split.
  - unfold after. cbn [held]. apply (lookup_adds _ _ 0%N), (lookup_drops _ _ 0%N), A.
  - intros e I. unfold after in I. cbn [held] in I. apply in_adds in I. destruct I as [I | I].
    + destruct (come_spec e I) as (We & Iv & Ne & Di & Q). repeat split; auto. apply started_spec.
      destruct Q as [E | (Q & _)].
      * left. unfold D'. rewrite did_more by assumption. rewrite E, N.eqb_refl. apply orb_true_r.
      * right. exists v. unfold D'. rewrite did_more by assumption. rewrite N.eqb_refl, orb_true_r. auto.
    + destruct (in_drops _ _ _ A I) as (J & N). destruct (K e J) as (We & Iv & Di & St & Ne). repeat split; auto.
      * apply started_more; assumption.
      * destruct (needed D' (value e)) eqn:Q; [reflexivity|]. exfalso.
        destruct (in_dec N.eq_dec (value e) (inner g P v)) as [R | R]; [apply N, gone_spec; auto|].
        unfold D' in Q. rewrite needed_still in Q; auto. discriminate.
Qed.

Variables (n : node) (a b : list move) (x y : state).
Hypothesis here : reached a (Compute v :: b) x.
Hypothesis moved : step r g M (Compute v) (hd_error b) x = Some y.
Hypothesis there : reached (a ++ [Compute v]) b y.
Hypothesis covered : covers D n a x.
Lemma not_yet : ~ In (Compute v) a.
Proof.
  intros J. pose proof (run_walks _ _ _ _ _ _ played) as All. destruct here as (E & _). rewrite E in All.
  destruct (computed_once _ _ _ _ _ _ _ _ once All) as (_ & N & _). exact (N J).
Qed.
Lemma operands_here : forall u, In u (inner g P v) -> mem u (red x) = true.
Proof.
  intros u I. apply inner_spec in I. apply step_cases in moved. destruct moved as (_ & _ & _ & _ & O & _).
  apply mem_In, O. tauto.
Qed.
Lemma not_started : started D v = false.
Proof.
  destruct (started D v) eqn:E; [|reflexivity]. exfalso. destruct covered as (W & Sm & _).
  pose proof (started_came D a x v W Sm member E) as C. rewrite (step_no_input v is_one) in C. exact (not_yet C).
Qed.
Lemma comes_next : all_in (st_needs (step_of v)) D && none_in (st_bit (step_of v)) D = true.
Proof.
  destruct covered as (W & Sm & _). apply andb_true_intro. cbn [step_of st_needs st_bit]. split.
  - apply all_in_spec. intros i T. apply bits_of_spec in T. destruct T as (u & I & F). destruct (unranked u i F) as (J & Z).
    assert (C : In (Compute u) a).
    { apply (origin r g M a x u W (step_no_input u Z)). left. apply mem_In, operands_here, I. }
    apply (Sm u J Z), did_spec in C. destruct C as (j & F' & T). rewrite F in F'. injection F' as <-. exact T.
  - apply none_in_spec. intros i T. apply bit_spec in T. apply not_true_iff_false. intros Q. apply not_yet, (Sm v member is_one), did_spec.
    eauto.
Qed.
Lemma covers_after : covers D' (after pl n) (a ++ [Compute v]) y.
Proof.
  destruct covered as (W & Sm & Kn & Sum). pose proof moved as K. apply step_cases in K.
  destruct K as (Lv & _ & Nx & _ & _ & _ & Q1 & Q2 & _).
  assert (Sm' : same_steps D' (a ++ [Compute v])).
  { intros w I Z. unfold D'. rewrite did_more by assumption. rewrite orb_true_iff, (Sm w I Z), N.eqb_eq, in_app_iff. split.
    - intros [J | ->]; [auto | right; left; reflexivity].
    - intros [J | [J | []]]; [auto | right; congruence]. }
  split; [apply there|]. split; [exact Sm'|]. split; [apply known_after, Kn|].
  assert (Step : forall u, In u V -> turn D' (held (after pl n)) y u + paid D a x u <= turn D (held n) x u + paid D' (a ++ [Compute v]) y u).
  { intros u I. pose proof (words_nonneg u I) as Pw.
    assert (Ex : exceeds (a ++ [Compute v]) u = exceeds a u) by (rewrite exceeds_snoc; lia).
    assert (Di : forall d, lookup (held n) u = Some d -> d = true -> costly g u = true).
    { intros d L Td. apply lookup_some in L. destruct L as (e & Ie & <- & De). apply (proj2 Kn e Ie). congruence. }
    assert (Cm : forall d, lookup (pl_come pl) u = Some d -> (d = true -> costly g u = true)
      /\ (u = v \/ (In u (inner g P v) /\ (started D u = true -> d = false)))).
    { intros d L. apply lookup_some in L. destruct L as (e & Ie & <- & <-).
      destruct (come_spec e Ie) as (_ & _ & _ & A & B). auto. }
    destruct (N.eq_dec u v) as [-> | Nv].
    - pose proof not_started as Ns. unfold turn at 2, paid. rewrite Ns. cbn [andb].
      assert (0 <= (if started D' v then exceeds (a ++ [Compute v]) v + (if needed D' v && negb (mem v (red y)) then words g v else 0) else 0)).
      { pose proof (exceeds_nonneg (a ++ [Compute v]) v I). destruct (started D' v); [|lia]. destruct (needed D' v && _); lia. }
      assert (turn D' (held (after pl n)) y v = 0); [|lia]. unfold turn. destruct (started D' v && needed D' v); [|reflexivity].
      rewrite Q1, Q2, mem_cons, N.eqb_refl. cbn [orb].
      assert (Bl : mem v (blue x) = false).
      { apply mem_not_In. intros B. destruct (blue_came _ _ _ _ _ _ W v B) as [C | C].
        - apply start_blue in C. rewrite (step_no_input v is_one) in C. destruct C; discriminate.
        - apply not_yet, (origin r g M a x v W (step_no_input v is_one)). tauto. }
      rewrite Bl. cbn [negb]. destruct (lookup (held (after pl n)) v) as [[|]|]; reflexivity.
    - assert (Mr : mem u (red y) = mem u (red x)).
      { rewrite Q1, mem_cons. destruct (N.eqb_spec u v); [contradiction | reflexivity]. }
      destruct (started D u) eqn:St.
      + pose proof (started_more D v u member is_one St) as St'. fold D' in St'. unfold turn, paid. rewrite St, St', Mr, Q2, Ex. cbn [andb].
        destruct (needed D' u) eqn:Ne'.
        * pose proof (needed_less D v u member is_one Ne') as Ne. rewrite Ne. cbn [andb].
          assert (G : mem u (pl_gone pl) = false).
          { apply mem_not_In. intros G. apply gone_spec in G. destruct G. congruence. }
          rewrite (lookup_after n u Kn), G. destruct (lookup (held n) u) as [d|]; [lia|].
          destruct (lookup (pl_come pl) u) as [d|] eqn:L; [|lia]. destruct (Cm d eq_refl) as (_ & [E | (Io & F)]); [contradiction|].
          rewrite (operands_here u Io), (F eq_refl). cbn. lia.
        * cbn [andb]. pose proof (turning_nonneg (words g u) (lookup (held n) u) (if mem u (red x) then Some (negb (mem u (blue x))) else None) Pw).
          destruct (needed D u) eqn:Ne; cbn [andb]; [|lia].
          destruct (in_dec N.eq_dec u (inner g P v)) as [Io | Io].
          -- rewrite (operands_here u Io) in *. cbn [negb]. lia.
          -- unfold D' in Ne'. rewrite needed_still in Ne'; auto. discriminate.
      + unfold turn at 2. unfold paid at 1. rewrite St. cbn [andb]. unfold turn, paid.
        destruct (started D' u) eqn:St'; cbn [andb]; [|lia]. rewrite Ex, Mr, Q2.
        assert (Io : In u (inner g P v)).
        { apply started_spec in St'. destruct St' as [H | (w & J & Z & Iw & H)]; unfold D' in H; rewrite did_more in H by assumption.
          - apply orb_prop in H. destruct H as [H | H]; [|apply N.eqb_eq in H; congruence].
            assert (started D u = true) by (apply started_spec; auto). congruence.
          - apply orb_prop in H. destruct H as [H | H]; [|apply N.eqb_eq in H; subst w; exact Iw].
            assert (started D u = true) by (apply started_spec; right; eauto). congruence. }
        rewrite (operands_here u Io). cbn [negb]. rewrite andb_false_r. pose proof (exceeds_nonneg a u I) as Pe.
        destruct (needed D' u); [|lia]. rewrite (lookup_after n u Kn).
        assert (Key : forall d, (d = true -> costly g u = true) -> turning (words g u) (Some d) (Some (negb (mem u (blue x)))) <= exceeds a u).
        { intros d C. unfold turning. rewrite negb_involutive. destruct d; [|exact Pe]. cbn [andb].
          destruct (mem u (blue x)) eqn:B; [|exact Pe]. specialize (C eq_refl). unfold costly in C.
          apply negb_true_iff, orb_false_iff in C. destruct C as (C & O). apply mem_In in B.
          destruct (blue_came _ _ _ _ _ _ W u B) as [X | X]; [apply start_blue in X; destruct X; congruence|].
          rewrite <- (weighs_read v u member is_one Io). apply exceeds_stored; assumption. }
        assert (Zero : turning (words g u) None (Some (negb (mem u (blue x)))) <= exceeds a u) by (simpl; exact Pe).
        destruct (if mem u (pl_gone pl) then None else lookup (held n) u) as [d|] eqn:L.
        * destruct (mem u (pl_gone pl)); [discriminate|]. pose proof (Key d (Di d L)). lia.
        * destruct (lookup (pl_come pl) u) as [d|] eqn:L'; [|lia]. destruct (Cm d eq_refl) as (C & _). pose proof (Key d C). lia. }
  assert (sum (fun u => turn D' (held (after pl n)) y u + paid D a x u) V
    <= sum (fun u => turn D (held n) x u + paid D' (a ++ [Compute v]) y u) V) by (apply sum_le; exact Step).
  rewrite !sum_plus in *. unfold after at 1. cbn [spent]. lia.
Qed.
End Step.

(* What no state on the way of the play can spare. *)
Definition excess : Z := sum (exceeds p) V.
Lemma room_here : forall a v b x y, reached a (Compute v :: b) x -> step r g M (Compute v) (hd_error b) x = Some y ->
  used g x <= M - taken r g v.
Proof.
  intros a v b x y (_ & _ & _ & _ & R) E. destruct R as [R | (u & q & X & _)]; [|discriminate]. apply step_cases in E.
  destruct E as (_ & _ & _ & _ & _ & F & _). unfold taken. unfold slid in F. destruct (sliding r); simpl in F; [|lia].
  destruct (Z.leb_spec (used g x + words g v) M) as [C | C]; simpl in F.
  - pose proof (largest_nonneg g v). lia.
  - destruct (hd_error b) as [[] |]; try lia.
    destruct (mem v0 (operands g v)) eqn:I; [|lia]. apply mem_In in I. pose proof (largest_least g _ _ I). lia.
Qed.
Definition absent (x : state) (cs : list entry) : Z := sum (fun c => if mem (value c) (red x) then 0 else weight c) cs.
Definition may_leave (n : node) (cs : list entry) : Prop := NoDup (List.map value cs) /\ forall c, In c cs ->
  lookup (held n) (value c) = Some (dirty c) /\ weight c = words g (value c) /\ In (value c) V.
Lemma known_without : forall D n c, known D n -> known D (without c n).
Proof.
  intros D n c (A & K). split; [apply above_drop, A|]. intros e I. apply (K e). unfold without in I. cbn [held] in I.
  apply (in_drop _ _ 0%N) in I; tauto.
Qed.
Lemma covers_without : forall D n a x c, covers D n a x -> lookup (held n) (value c) = Some (dirty c) ->
  weight c = words g (value c) -> In (value c) V -> mem (value c) (red x) = false -> covers D (without c n) a x.
Proof.
  intros D n a x c (W & Sm & Kn & Sum) L We I Rd. split; [exact W|]. split; [exact Sm|]. split; [apply known_without, Kn|].
  assert (Step : forall u, In u V -> turn D (held (without c n)) x u + (if (value c =? u)%N then pays c else 0) <= turn D (held n) x u).
  { intros u Iu. unfold turn, without. cbn [held]. rewrite (lookup_drop _ _ 0%N u (proj1 Kn)).
    destruct (N.eqb_spec (value c) u) as [<- | _]; [|lia]. rewrite Rd, L. apply lookup_some in L.
    destruct L as (e & Ie & Ve & De). destruct (proj2 Kn e Ie) as (_ & _ & _ & St & Ne). rewrite Ve in St, Ne. rewrite St, Ne.
    cbn [andb turning]. unfold pays. rewrite We. lia. }
  assert (Q : sum (fun u => turn D (held (without c n)) x u + (if (value c =? u)%N then pays c else 0)) V <= sum (turn D (held n) x) V)
    by (apply sum_le; exact Step).
  rewrite sum_plus, (sum_one (fun _ => pays c) (value c) V (members_distinct g P proper_P) I) in Q.
  unfold without at 1. cbn [spent]. lia.
Qed.
Lemma may_leave_without : forall n c cs D, known D n -> may_leave n (c :: cs) -> may_leave (without c n) cs.
Proof.
  intros n c cs D (A & _) (Di & K). inversion Di as [|? ? Nc Dc]; subst. split; [exact Dc|]. intros e I.
  destruct (K e (or_intror I)) as (L & Q). split; [|exact Q]. unfold without. cbn [held]. rewrite (lookup_drop _ _ 0%N _ A).
  destruct (N.eqb_spec (value c) (value e)) as [E | _]; [|exact L]. destruct Nc. rewrite E. apply in_map, I.
Qed.
Lemma may_leave_rest : forall n c cs, may_leave n (c :: cs) -> may_leave n cs.
Proof. intros n c cs (Di & K). inversion Di; subst. split; [assumption|]. intros e I. apply K. right; exact I. Qed.
Lemma spent_most : forall D n a b x, reached a b x -> covers D n a x -> spent n <= excess.
Proof.
  intros D n a b x Re (W & Sm & Kn & Sum).
  assert (0 <= sum (turn D (held n) x) V) by (apply sum_nonneg; intros u I; apply turn_nonneg, I).
  assert (sum (paid D a x) V <= excess) by (apply sum_le; intros u I; eapply paid_most; eauto). lia.
Qed.
Lemma absent_due : forall a b x D, reached a b x -> forall cs n, covers D n a x -> may_leave n cs -> spent n + absent x cs <= excess.
Proof.
  intros a b x D Re. induction cs as [|c cs IH]; intros n Co Ml.
  - pose proof (spent_most D n a b x Re Co). unfold absent. simpl. lia.
  - destruct (proj2 Ml c (or_introl eq_refl)) as (L & We & I). unfold absent in *. cbn [sum].
    destruct (mem (value c) (red x)) eqn:Rd; [apply IH; [exact Co | eapply may_leave_rest; eauto]|].
    pose proof (IH _ (covers_without D n a x c Co L We I Rd) (may_leave_without n c cs D (proj1 (proj2 (proj2 Co))) Ml)) as Q.
    unfold without in Q at 1. cbn [spent] in Q. pose proof (words_nonneg _ I). unfold pays, parting in Q. destruct (dirty c); lia.
Qed.

(* States on the way of which the play exceeds the claim. *)
Definition safe (D : N) (n : node) : Prop := forall a b x, reached a b x -> covers D n a x -> limit <= excess.
Definition all_known (D : N) (l : list node) : Prop := forall n, In n l -> known D n.
Definition all_safe (D : N) (l : list node) : Prop := forall n, In n l -> safe D n.
Lemma as_good_covers : forall D m n a x, known D m -> as_good m n = true -> covers D n a x -> covers D m a x.
Proof.
  intros D m n a x Km G (W & Sm & Kn & Sum). unfold as_good in G. apply andb_prop in G. destruct G as (Sl & T). apply Z.leb_le in Sl.
  split; [exact W|]. split; [exact Sm|]. split; [exact Km|].
  pose proof (turns_sound V (words g) (members_distinct g P proper_P) words_nonneg (held n) (held m) (held n) _ T Sl
    (fun e I => conj (proj1 (proj2 (proj2 Km e I))) (proj1 (proj2 Km e I)))
    (fun y I => lookup_in _ _ y (proj1 Kn) I)) as Q.
  assert (Step : forall u, In u V -> turn D (held m) x u <= turning (words g u) (lookup (held m) u) (lookup (held n) u) + turn D (held n) x u).
  { intros u I. pose proof (words_nonneg u I) as Pw. unfold turn. destruct (started D u && needed D u).
    - destruct (lookup (held m) u) as [[|]|], (lookup (held n) u) as [[|]|], (mem u (red x)), (mem u (blue x));
        unfold turning, parting, andb, negb; lia.
    - pose proof (turning_nonneg (words g u) (lookup (held m) u) (lookup (held n) u) Pw). lia. }
  assert (Q' : sum (turn D (held m) x) V <= sum (fun u => turning (words g u) (lookup (held m) u) (lookup (held n) u) + turn D (held n) x u) V)
    by (apply sum_le; exact Step).
  rewrite sum_plus in Q'. lia.
Qed.
Lemma enter_known : forall D n l, known D n -> all_known D l -> all_known D (enter_state n l).
Proof.
  intros D n l Kn Kl m I. unfold enter_state in I. destruct (existsb _ l); [auto|]. destruct I as [<- | I]; [exact Kn|].
  apply filter_In in I. apply Kl. tauto.
Qed.
Lemma enter_safe : forall D n l, known D n -> all_known D l -> all_safe D (enter_state n l) -> safe D n /\ all_safe D l.
Proof.
  intros D n l Kn Kl H. unfold enter_state in H. destruct (existsb (fun m => as_good m n) l) eqn:E.
  - split; [|exact H]. apply existsb_exists in E. destruct E as (m & I & G). intros a b x Re Co.
    apply (H m I a b x Re). eapply as_good_covers; eauto.
  - assert (Sn : safe D n) by (apply H; left; reflexivity). split; [exact Sn|]. intros m I.
    destruct (as_good n m) eqn:G.
    + intros a b x Re Co. apply (Sn a b x Re). eapply as_good_covers; eauto.
    + apply H. right. apply filter_In. rewrite G. auto.
Qed.
Lemma leave_known : forall D cs need n l, known D n -> all_known D l -> all_known D (leave cs need n l).
Proof.
  intros D. induction cs as [|c cs IH]; intros need n l Kn Kl; cbn [leave].
  - destruct (limit <=? _); [exact Kl|]. destruct (need <=? 0); [apply enter_known; assumption | exact Kl].
  - destruct (limit <=? _); [exact Kl|]. destruct (need <=? 0); [apply enter_known; assumption|].
    apply IH; [exact Kn|]. apply IH; [apply known_without, Kn | exact Kl].
Qed.
Lemma leave_safe : forall D cs need n l, known D n -> all_known D l -> may_leave n cs -> all_safe D (leave cs need n l) ->
  all_safe D l /\ forall a b x, reached a b x -> covers D n a x -> need <= absent x cs -> limit <= excess.
Proof.
  intros D. induction cs as [|c cs IH]; intros need n l Kn Kl Ml H; cbn [leave] in H;
    (destruct (Z.leb_spec limit (spent n + Z.max 0 need)) as [C | C];
      [split; [exact H|]; intros a b x Re Co Ne; pose proof (absent_due a b x D Re _ n Co Ml);
       pose proof (spent_most D n a b x Re Co); lia|]);
    (destruct (Z.leb_spec need 0) as [C' | C'];
      [destruct (enter_safe D n l Kn Kl H) as (A & B); split; [exact B|]; intros a b x Re Co _; exact (A a b x Re Co)|]).
  - split; [exact H|]. intros a b x Re Co Ne. unfold absent in Ne. simpl in Ne. lia.
  - pose proof (known_without D n c Kn) as Kw.
    destruct (IH need n _ Kn (leave_known D cs (need - weight c) _ l Kw Kl) (may_leave_rest n c cs Ml) H) as (H' & A).
    destruct (IH (need - weight c) _ l Kw Kl (may_leave_without n c cs D Kn Ml) H') as (H2 & B).
    split; [exact H2|]. intros a b x Re Co Ne. unfold absent in Ne. cbn [sum] in Ne.
    destruct (proj2 Ml c (or_introl eq_refl)) as (L & We & I). destruct (mem (value c) (red x)) eqn:Rd.
    + apply (A a b x Re Co). exact Ne.
    + apply (B a b x Re (covers_without D n a x c Co L We I Rd)). unfold absent. lia.
Qed.

(* What follows a state by a step. *)
Definition by_step (D v : N) (n : node) : Prop := forall a b x, reached a (Compute v :: b) x -> covers D n a x -> limit <= excess.
Lemma follow_known : forall D v n l, In v V -> is_step v = true -> known D n -> all_known (N.lor D (bit v)) l ->
  all_known (N.lor D (bit v)) (follow_state (plan_of D (N.lor D (bit v)) (step_of v)) l n).
Proof.
  intros D v n l I Z Kn Kl. unfold follow_state. apply leave_known; [|exact Kl]. apply known_after; assumption.
Qed.
Lemma follow_safe : forall D v n l, In v V -> is_step v = true -> known D n -> all_known (N.lor D (bit v)) l ->
  all_safe (N.lor D (bit v)) (follow_state (plan_of D (N.lor D (bit v)) (step_of v)) l n) ->
  all_safe (N.lor D (bit v)) l /\ by_step D v n.
Proof.
  intros D v n l I Z Kn Kl H. unfold follow_state in H. set (D' := N.lor D (bit v)) in *. set (pl := plan_of D D' (step_of v)) in *.
  set (o := others pl n) in *. pose proof (known_after D v I Z n Kn) as Ka. fold D' in Ka. fold pl in Ka.
  assert (Oth : forall c, In c o -> In c (held n) /\ ~ In (value c) (inner g P v)).
  { intros c Ic. unfold o, others in Ic. apply filter_In in Ic. destruct Ic as (Ic & Q). split; [exact Ic|]. intros J.
    apply negb_true_iff, mem_not_In in Q. apply Q. unfold pl, plan_of. cbn [pl_operands step_of st_operands].
    rewrite map_map. apply in_map_iff. exists (value c). auto. }
  assert (Dis : NoDup (List.map value o)) by (apply (above_NoDup _ 0%N), above_filter, Kn).
  assert (Ml : may_leave (after pl n) o).
  { split; [exact Dis|]. intros c Ic. destruct (Oth c Ic) as (Ih & Ni). destruct (proj2 Kn c Ih) as (We & Iv & _).
    split; [|auto]. pose proof (lookup_after D v n (value c) Kn) as La. fold D' in La. fold pl in La. rewrite La.
    assert (G : mem (value c) (pl_gone pl) = false).
    { apply mem_not_In. intros G. apply (gone_spec D v) in G. tauto. }
    rewrite G, (lookup_in _ _ c (proj1 Kn) Ih). reflexivity. }
  destruct (leave_safe D' o _ (after pl n) l Ka Kl Ml H) as (A & B). split; [exact A|].
  intros a b x Re Co. destruct (reached_next _ _ _ _ Re) as (y & K & Ry).
  apply (B _ b y Ry); [apply (covers_after D v I Z n a b x y); assumption|].
  pose proof (room_here a v b x y Re K) as Room. pose proof K as K'. apply step_cases in K'.
  destruct K' as (Lv & _ & Nx & _ & O & _ & Q1 & _).
  assert (Split : sum weight o = absent y o + sum (words g) (List.map value (filter (fun c => mem (value c) (red x)) o))).
  { assert (Ov : forall c, In c o -> weight c = words g (value c) /\ mem (value c) (red y) = mem (value c) (red x)).
    { intros c Ic. destruct (Oth c Ic) as (Ih & Ni). destruct (proj2 Kn c Ih) as (We & Iv & _ & St & _). split; [exact We|].
      rewrite Q1, mem_cons. destruct (N.eqb_spec (value c) v) as [E | _]; [|reflexivity]. exfalso.
      rewrite E in St. rewrite (not_started D v I Z n a b x Re Co) in St. discriminate. }
    clear -Ov. unfold absent. induction o as [|c k IH]; [reflexivity|]. cbn [sum filter List.map].
    destruct (Ov c (or_introl eq_refl)) as (We & Me). rewrite IH by (intros; apply Ov; right; assumption).
    rewrite Me. destruct (mem (value c) (red x)); cbn [List.map sum]; lia. }
  assert (Fit : sum (words g) (List.map value (filter (fun c => mem (value c) (red x)) o)) + sum (words g) (operands g v) <= used g x).
  { rewrite <- sum_app. apply sum_incl.
    - intros u Iu. destruct Re as (_ & _ & _ & (_ & Bl) & _). pose proof (positive g S u (Bl u Iu)). lia.
    - assert (D1 : NoDup (List.map value (filter (fun c => mem (value c) (red x)) o)))
        by (unfold o, others; apply (above_NoDup _ 0%N), above_filter, above_filter, Kn).
      pose proof (distinct g S v Lv) as D2.
      assert (Ap : forall u, In u (List.map value (filter (fun c => mem (value c) (red x)) o)) -> ~ In u (operands g v)).
      { intros u Iu J. apply in_map_iff in Iu. destruct Iu as (c & <- & Ic). apply filter_In in Ic. destruct Ic as (Ic & _).
        destruct (Oth c Ic) as (Ih & Ni). apply Ni, inner_spec. split; [exact J|]. apply (proj2 Kn c Ih). }
      revert D1 Ap. generalize (List.map value (filter (fun c => mem (value c) (red x)) o)). clear -D2.
      induction l as [|u k IH]; simpl; intros D1 Ap; [exact D2|]. inversion D1; subst. constructor.
      + intros J. apply in_app_or in J. destruct J as [J | J]; [tauto|]. exact (Ap u (or_introl eq_refl) J).
      + apply IH; auto.
    - intros u Iu. apply in_app_or in Iu. destruct Iu as [Iu | Iu]; [|apply O, Iu].
      apply in_map_iff in Iu. destruct Iu as (c & <- & Ic). apply filter_In in Ic. apply mem_In. tauto. }
  unfold pl at 1, plan_of. cbn [pl_room step_of st_room]. lia.
Qed.
Lemma follow_all : forall D v, In v V -> is_step v = true -> forall ns l, all_known D ns -> all_known (N.lor D (bit v)) l ->
  let l' := fold_left (follow_state (plan_of D (N.lor D (bit v)) (step_of v))) ns l in
  all_known (N.lor D (bit v)) l' /\ (all_safe (N.lor D (bit v)) l' -> all_safe (N.lor D (bit v)) l /\ forall n, In n ns -> by_step D v n).
Proof.
  intros D v I Z. induction ns as [|n ns IH]; intros l Kn Kl; cbn [fold_left].
  - split; [exact Kl|]. intros H. split; [exact H | intros n []].
  - assert (K1 : known D n) by (apply Kn; left; reflexivity).
    pose proof (follow_known D v n l I Z K1 Kl) as K2.
    destruct (IH _ (fun m J => Kn m (or_intror J)) K2) as (A & B). split; [exact A|]. intros H. destruct (B H) as (H1 & C).
    destruct (follow_safe D v n l I Z K1 Kl H1) as (H2 & E). split; [exact H2|]. intros m [<- | J]; auto.
Qed.
Definition layer_known (m : layer) : Prop := forall D l, find m D = Some l -> all_known D l.
Definition layer_safe (m : layer) : Prop := forall D l, find m D = Some l -> all_safe D l.
Lemma at_set_all : forall (Q : N -> list node -> Prop) m D, (forall D l, find m D = Some l -> Q D l) -> Q D [] -> Q D (at_set m D).
Proof. intros Q m D H E. unfold at_set. destruct (find m D) eqn:F; auto. Qed.
Lemma follow_set_sound : forall D ns, all_known D ns -> forall vs m, (forall v, In v vs -> In v V /\ is_step v = true) -> layer_known m ->
  let m' := follow_set (List.map step_of vs) m (N.succ_pos D, ns) in
  layer_known m' /\ (layer_safe m' -> layer_safe m /\ forall v n, In v vs -> In n ns -> by_step D v n).
Proof.
  intros D ns Kn. unfold follow_set. cbn [fst snd]. rewrite N.pos_pred_succ.
  induction vs as [|v vs IH]; intros m Hv Km; cbn [List.map fold_left].
  - split; [exact Km|]. intros H. split; [exact H | intros v n []].
  - destruct (Hv v (or_introl eq_refl)) as (I & Z).
    assert (Hvs : forall v, In v vs -> In v V /\ is_step v = true) by (intros; apply Hv; right; assumption).
    destruct (all_in (st_needs (step_of v)) D && none_in (st_bit (step_of v)) D) eqn:C.
    + cbn [step_of st_bit]. set (D' := N.lor D (bit v)) in *.
      destruct (follow_all D v I Z ns (at_set m D') Kn) as (A & B).
      { apply (at_set_all all_known m D'); [exact Km | intros n []]. }
      fold D' in A, B. change (plan_of D D' (step_of v)) with (plan_of D (N.lor D (bit v)) (step_of v)) in *.
      set (l' := fold_left (follow_state (plan_of D (N.lor D (bit v)) (step_of v))) ns (at_set m D')) in *.
      set (m1 := keep_set m D' l').
      assert (F1 : forall E, find m1 E = if (D' =? E)%N then match l' with [] => find m E | _ => Some l' end else find m E).
      { intros E. unfold m1, keep_set. destruct l'; [destruct (D' =? E)%N; reflexivity | apply find_put]. }
      assert (K' : layer_known m1).
      { intros E l F. rewrite F1 in F. destruct (N.eqb_spec D' E) as [<- | _]; [|apply Km, F].
        destruct l'; [apply Km, F | injection F as <-; exact A]. }
      destruct (IH _ Hvs K') as (A' & B'). split; [exact A'|]. intros H. destruct (B' H) as (H1 & C1).
      assert (S1 : all_safe D' l').
      { specialize (H1 D'). rewrite F1, N.eqb_refl in H1. destruct l'; [intros n [] | apply H1; reflexivity]. }
      destruct (B S1) as (S2 & C2). split.
      * intros E l F. destruct (N.eq_dec D' E) as [<- | Ne].
        -- unfold at_set in S2. rewrite F in S2. exact S2.
        -- apply H1. rewrite F1. destruct (N.eqb_spec D' E); [contradiction | exact F].
      * intros w n [<- | J] In_; auto.
    + destruct (IH _ Hvs Km) as (A' & B'). split; [exact A'|]. intros H. destruct (B' H) as (H1 & C1). split; [exact H1|].
      intros w n [<- | J] In_; [|auto]. intros a b x Re Co. destruct (reached_next _ _ _ _ Re) as (y & K & Ry).
      pose proof (comes_next D v I Z n a b x y Re K Co) as Q. congruence.
Qed.
Lemma elements_find : forall (m : layer) k l, In (k, l) (PositiveMap.elements m) <-> PositiveMap.find k m = Some l.
Proof. intros m k l. split; [apply PositiveMap.elements_complete | apply PositiveMap.elements_correct]. Qed.
Lemma key_of : forall k, N.succ_pos (Pos.pred_N k) = k.
Proof. intros k. pose proof (N.succ_pos_pred k) as E. rewrite <- N.succ_pos_spec in E. injection E as E. exact E. Qed.
Variables (vs : list N).
Hypothesis all_steps : forall v, In v vs <-> In v V /\ is_step v = true.
Lemma layers_sound : forall fuel left m, layers fuel (bits_of vs) (List.map step_of vs) left m = Shown -> layer_known m -> layer_safe m.
Proof.
  induction fuel as [|fuel IH]; intros left m H Km; cbn [layers] in H.
  - destruct (PositiveMap.elements m) eqn:E; [|discriminate]. intros D l F. apply elements_find in F. rewrite E in F. destruct F.
  - destruct (PositiveMap.elements m) as [|Dl sets] eqn:E.
    { intros D l F. apply elements_find in F. rewrite E in F. destruct F. }
    set (all := Dl :: sets) in *. destruct (existsb _ all) eqn:Ex; [discriminate|]. destruct (_ <? 0); [discriminate|].
    assert (G : forall k m', (forall kl, In kl k -> all_known (Pos.pred_N (fst kl)) (snd kl)) -> layer_known m' ->
      let m2 := fold_left (follow_set (List.map step_of vs)) k m' in
      layer_known m2 /\ (layer_safe m2 -> layer_safe m' /\ forall kl v n, In kl k -> In v vs -> In n (snd kl) -> by_step (Pos.pred_N (fst kl)) v n)).
    { induction k as [|(key & ns) k IHk]; intros m' Hk Km'; cbn [fold_left].
      - split; [exact Km'|]. intros Q. split; [exact Q | intros kl v n []].
      - pose proof (Hk _ (or_introl eq_refl)) as Kn. cbn [fst snd] in Kn.
        destruct (follow_set_sound (Pos.pred_N key) ns Kn vs m' (fun v J => proj1 (all_steps v) J) Km') as (A & B).
        rewrite key_of in A, B. destruct (IHk _ (fun kl J => Hk kl (or_intror J)) A) as (A' & B'). split; [exact A'|].
        intros Q. destruct (B' Q) as (Q1 & C1). destruct (B Q1) as (Q2 & C2). split; [exact Q2|].
        intros kl v n [<- | J] Iv In_; [cbn [fst snd] in *; auto | eauto]. }
    assert (Kall : forall kl, In kl all -> all_known (Pos.pred_N (fst kl)) (snd kl)).
    { intros (key & ns) J. cbn [fst snd]. apply Km. unfold find. rewrite key_of. apply elements_find. rewrite E. exact J. }
    destruct (G all (empty (list node)) Kall) as (A & B).
    { intros D l F. rewrite find_empty in F. discriminate. }
    destruct (B (IH _ _ H A)) as (_ & C). intros D l F n In_ a b x Re Co.
    assert (J : In (N.succ_pos D, l) all) by (rewrite <- E; apply elements_find; exact F).
    destruct (covers_on_to b a x D n Re Co) as [Nb | (c & v & d & y & -> & Iv & Z & Ry & Cy)].
    + exfalso. assert (Q : existsb (fun Dl => all_in (bits_of vs) (Pos.pred_N (fst Dl))) all = true); [|exact (eq_true_false_abs _ Q Ex)].
      apply existsb_exists. exists (N.succ_pos D, l). split; [exact J|]. cbn [fst]. rewrite N.pos_pred_succ.
      apply all_in_spec. intros i T. apply bits_of_spec in T. destruct T as (v & Iv & Fv). apply all_steps in Iv. destruct Iv as (Iv & Z).
      destruct Co as (W & Sm & _). pose proof (run_walks _ _ _ _ _ _ played) as All.
      pose proof (all_computed r g M S p t All ended v (members_below g P proper_P v Iv) (step_no_input v Z)) as Cv.
      destruct Re as (Ep & _). rewrite Ep in Cv. apply in_app_or in Cv. destruct Cv as [Cv | Cv]; [|destruct (Nb v Iv Z Cv)].
      apply (Sm v Iv Z), did_spec in Cv. destruct Cv as (j & Fj & T). rewrite Fv in Fj. injection Fj as <-. exact T.
    + apply (C _ v n J (proj2 (all_steps v) (conj Iv Z)) In_ (a ++ c) d y Ry). cbn [fst]. rewrite N.pos_pred_succ. exact Cy.
Qed.
Definition first_layer : layer := put (empty (list node)) 0%N [{| spent := 0; held := [] |}].
Lemma searched_sound : forall fuel left, layers fuel (bits_of vs) (List.map step_of vs) left first_layer = Shown -> limit <= excess.
Proof.
  intros fuel left H.
  assert (K : layer_known first_layer).
  { intros D l F. unfold first_layer in F. rewrite find_put, find_empty in F. destruct (0 =? D)%N; [|discriminate].
    injection F as <-. intros n [<- | []]. split; [exact I | intros e []]. }
  pose proof (layers_sound fuel left first_layer H K) as Sf.
  apply (Sf 0%N [{| spent := 0; held := [] |}]) with (n := {| spent := 0; held := [] |}) (a := []) (b := p) (x := start g).
  - unfold first_layer. rewrite find_put. reflexivity.
  - left; reflexivity.
  - exact begins_reached.
  - assert (Nd : forall v, did 0%N v = false).
    { intros v. unfold did. destruct (find ranks v); [apply N.bits_0 | reflexivity]. }
    split; [constructor|]. split.
    { intros v _ _. rewrite Nd. split; [discriminate | intros []]. }
    split; [split; [exact I | intros e []]|]. cbn [spent held].
    rewrite (sum_zero _ (turn 0%N [] (start g))).
    + assert (0 <= sum (paid 0%N [] (start g)) V); [|lia]. apply sum_nonneg. intros u Iu. unfold paid.
      pose proof (exceeds_nonneg [] u Iu). pose proof (words_nonneg u Iu).
      destruct (started 0%N u); [|lia]. destruct (needed 0%N u && _); lia.
    + intros u _. unfold turn. destruct (started 0%N u && needed 0%N u); reflexivity.
Qed.
(* What a play exceeds the compulsory words by is charged to stores and loads of values that are read. *)
Lemma excess_charged : forall times (charge : row -> Z), 0 <= times -> (forall e, 0 <= charge e) ->
  (forall u, In u V -> is_value u = true -> costly g u = true -> times * words g u <= charge (u, 0%N)) ->
  (forall u i, In u V -> is_value u = true -> (i <= N.of_nat (length (chosen u)))%N -> times * words g u <= charge (u, i + 1)%N) ->
  times * excess <= sum charge (events g chosen p).
Proof.
  intros times charge Pt Pc Stored Loaded. pose proof (run_walks _ _ _ _ _ _ played) as W.
  unfold excess, exceeds. rewrite sum_swap, <- sum_times. apply sum_le. intros (u, i) I. cbn [fst].
  assert (E : sum (fun x => if (u =? x)%N then weighs x else 0) V = if mem u V then weighs u else 0).
  { destruct (mem u V) eqn:Iu.
    - apply mem_In in Iu. apply (sum_one weighs u V (members_distinct g P proper_P) Iu).
    - apply mem_not_In in Iu. apply sum_zero. intros x J. destruct (N.eqb_spec u x) as [-> | _]; [tauto | reflexivity]. }
  rewrite E. destruct (mem u V) eqn:Iu; [|specialize (Pc (u, i)); lia]. apply mem_In in Iu. unfold weighs.
  destruct (is_value u) eqn:Va; [|specialize (Pc (u, i)); lia].
  apply picks_of in I. destruct I as (a & m & b & Ep & J). simpl in J. destruct m; simpl in J; try destruct J.
  - destruct (is_input g v && negb (loads v a)); [destruct J|]. destruct J as [J | []]. injection J as -> <-.
    apply Loaded; auto. unfold stage. pose proof (filter_length_le_all (fun w => computes w a) (chosen u)). lia.
  - destruct (output g v) eqn:O; [destruct J|]. destruct J as [J | []]. injection J as -> <-. apply Stored; auto.
    unfold costly. rewrite O, orb_false_r. apply negb_true_iff, not_true_iff_false. intros Z. rewrite Ep in W.
    destruct (walks_at _ _ _ _ _ _ _ _ W) as (x & y & next & A & K & _). apply step_cases in K. destruct K as (L & _ & N & _).
    apply N, (blue_stays _ _ _ _ _ _ A), start_blue. auto.
Qed.
End Search.

(* The steps of a piece by numbers, and the readers of its values. *)
Definition ranks_of (l : list N) : map N :=
  snd (fold_left (fun im v => (N.succ (fst im), put (snd im) v (fst im))) l (0%N, empty N)).
Definition marks_of (g : dag) (P : piece) (ranks : map N) (l : list N) : map N :=
  fold_left (fun m w => let b := bit ranks w in fold_left (fun m u => put m u (N.lor (bits m u) b)) (inner g P w) m) l (empty N).
Lemma ranks_of_spec : forall l, NoDup l -> (forall v, In v l -> exists i, find (ranks_of l) v = Some i)
  /\ (forall v i, find (ranks_of l) v = Some i -> In v l)
  /\ (forall u v i, find (ranks_of l) u = Some i -> find (ranks_of l) v = Some i -> u = v).
Proof.
  intros l D. unfold ranks_of. set (f := fun (im : N * map N) v => (N.succ (fst im), put (snd im) v (fst im))).
  set (good := fun (k : list N) (im : N * map N) => (forall v, In v k -> exists i, find (snd im) v = Some i)
    /\ (forall v i, find (snd im) v = Some i -> In v k /\ (i < fst im)%N)
    /\ (forall u v i, find (snd im) u = Some i -> find (snd im) v = Some i -> u = v)).
  assert (G : forall k done_ im, good done_ im -> NoDup k -> (forall v, In v k -> ~ In v done_) ->
    good (rev k ++ done_) (fold_left f k im)).
  { induction k as [|x k IH]; intros done_ (c, m) (A & B & C) Dk N; [split; [exact A | auto]|].
    inversion Dk; subst. cbn [fold_left rev]. rewrite <- app_assoc. apply IH; [|assumption|].
    - unfold f. cbn [fst snd] in *. split; [|split].
      + intros v I. cbn [snd]. destruct (N.eqb_spec x v) as [-> | E].
        * exists c. rewrite find_put, N.eqb_refl. reflexivity.
        * destruct I as [I | I]; [contradiction|]. destruct (A v I) as (i & F). exists i. rewrite find_put.
          destruct (N.eqb_spec x v); [contradiction | exact F].
      + intros v i F. cbn [fst snd] in F. rewrite find_put in F. destruct (N.eqb_spec x v) as [-> | _].
        * injection F as <-. simpl. split; [left; reflexivity | lia].
        * destruct (B v i F) as (Iv & Lt). simpl in Lt |- *. split; [auto | lia].
      + intros u v i Fu Fv. cbn [snd] in *. rewrite find_put in Fu, Fv.
        destruct (N.eqb_spec x u) as [Eu | Eu], (N.eqb_spec x v) as [Ev | Ev]; [congruence | | |].
        * injection Fu as <-. destruct (B _ _ Fv) as (_ & Lt). simpl in Lt. lia.
        * injection Fv as <-. destruct (B _ _ Fu) as (_ & Lt). simpl in Lt. lia.
        * eapply C; eauto.
    - intros v I [<- | J]; [contradiction|]. apply (N v); [right; exact I | exact J]. }
  destruct (G l [] (0%N, empty N)) as (A & B & C); auto.
  { split; [intros v [] | split]; [intros v i F | intros u v i F]; simpl in F; rewrite find_empty in F; discriminate. }
  rewrite app_nil_r in *. split; [|split; [|exact C]].
  - intros v I. apply A. rewrite <- in_rev. exact I.
  - intros v i F. apply B in F. rewrite <- in_rev in F. tauto.
Qed.
Lemma marks_of_spec : forall g P ranks l u i, N.testbit (bits (marks_of g P ranks l) u) i = true
  <-> exists w, In w l /\ find ranks w = Some i /\ In u (inner g P w).
Proof.
  intros g P ranks l u i. unfold marks_of.
  assert (Row : forall b ops m, N.testbit (bits (fold_left (fun m u => put m u (N.lor (bits m u) b)) ops m) u) i = true
    <-> N.testbit (bits m u) i = true \/ (N.testbit b i = true /\ In u ops)).
  { intros b. induction ops as [|x ops IH]; intros m; cbn [fold_left].
    - simpl. tauto.
    - rewrite IH, bits_put. destruct (N.eqb_spec x u) as [-> | E].
      + rewrite N.lor_spec, orb_true_iff. simpl. tauto.
      + simpl. tauto. }
  assert (G : forall l m, N.testbit (bits (fold_left (fun m w => let b := bit ranks w in
      fold_left (fun m u => put m u (N.lor (bits m u) b)) (inner g P w) m) l m) u) i = true
    <-> N.testbit (bits m u) i = true \/ exists w, In w l /\ find ranks w = Some i /\ In u (inner g P w)).
  { induction l0 as [|w k IH]; intros m; cbn [fold_left].
    - split; [auto | intros [H | (w & [] & _)]; exact H].
    - rewrite IH. cbv zeta. rewrite Row, bit_spec. split.
      + intros [[H | (F & I)] | (v & I & F)]; [auto | right; exists w; simpl; auto | right; exists v; simpl; tauto].
      + intros [H | (v & [<- | I] & F)]; [auto | left; right; exact F | right; eauto]. }
  rewrite G. unfold bits at 1. rewrite find_empty, N.bits_0. split; [intros [H | H]; [discriminate | exact H] | auto].
Qed.

Lemma read_inside_has : forall g P u w, In w (members P) -> In u (inner g P w) -> has (read_inside g P) u = true.
Proof.
  intros g P u w I J. unfold read_inside.
  assert (G : forall l s, (has s u = true \/ In w l) -> has (fold_left (fun s v => insert_all (inner g P v) s) l s) u = true).
  { induction l as [|v l IH]; simpl; intros s H; [destruct H as [H | []]; exact H|]. apply IH. rewrite has_insert_all.
    destruct H as [H | [-> | H]]; auto. }
  apply G. auto.
Qed.

(* A piece all of whose plays exceed the compulsory words by what is claimed. *)
Record search_part := { search_within : option (list N); search_share : Z; claimed : Z }.
Definition most_bits : nat := 64.
Definition most_states : Z := 4194304.
Section Parts.
Variables (r : rules) (g : dag) (M : Z) (whole : piece) (readers : map (list N)).
Definition search_piece (P : piece) (claim : Z) : outcome :=
  let vs := filter (is_step g P) (members P) in
  let ranks := ranks_of vs in
  let marks := marks_of g P ranks vs in
  let infos := List.map (step_of r g M P ranks marks) vs in
  let values := filter (is_value marks) (members P) in
  let plain := total (fun st => total op_words (st_operands st)) infos + total (words g) (members P) in
  if (length vs <=? most_bits)%nat && (length values <=? most_bits)%nat && forallb (fun st => 0 <=? st_room st) infos
     && (claim <=? plain)
  then if claim <=? 0 then Shown
       else layers claim (Datatypes.S (length vs)) (bits_of ranks vs) infos most_states first_layer
  else Cheaper.
Definition part_piece (pt : search_part) : option piece :=
  if 0 <=? search_share pt then
    match search_within pt with None => Some whole
    | Some l => if rising 0 (size g) l then Some (cut g l) else None end
  else None.
Definition searched_by (search : piece -> Z -> outcome) (pt : search_part) : outcome * (Z * list (row * Z)) :=
  match part_piece pt with
  | Some P =>
      (search P (claimed pt),
       (search_share pt * claimed pt,
        spread (all_charges g readers (search_share pt) (read_inside g P) (fun _ => 0)) (members P)))
  | None => (Cheaper, (0, []))
  end.
Definition enter_search : search_part -> outcome * (Z * list (row * Z)) := searched_by search_piece.
Hypothesis S : sound g.
Hypothesis some_memory : 0 <= M.
Hypothesis proper_whole : proper g whole.
Variables (p : list move) (t : state).
Hypothesis played : run r g M p (start g) = Some t.
Hypothesis ended : finished g t = true.
(* What every play exceeds the compulsory words by in a piece, by the charges of the part. *)
Definition excess_in (P : piece) : Z :=
  let vs := filter (is_step g P) (members P) in excess g P (marks_of g P (ranks_of vs) vs) (chosen readers) p.
Lemma claim_charged : forall search, (forall P claim, proper g P -> search P claim = Shown -> claim <= excess_in P) ->
  forall pt shown charges, searched_by search pt = (Shown, (shown, charges)) ->
  2 * shown <= sum (charge_of charges) (events g (chosen readers) p)
  /\ (forall ra, In ra charges -> (fst (fst ra) < size g)%N /\ 0 <= snd ra).
Proof.
  intros search Least pt shown charges H. unfold searched_by, part_piece in H.
  destruct (0 <=? search_share pt) eqn:Sp; [|discriminate]. apply Z.leb_le in Sp.
  destruct (match search_within pt with None => Some whole | Some l => if rising 0 (size g) l then Some (cut g l) else None end)
    as [P |] eqn:EP; [|discriminate].
  assert (Pr : proper g P).
  { destruct (search_within pt) as [l |]; [|injection EP as <-; exact proper_whole].
    destruct (rising 0 (size g) l) eqn:R; [|discriminate]. injection EP as <-. apply cut_proper, R. }
  injection H as Sh <- <-.
  set (ac := all_charges g readers (search_share pt) (read_inside g P) (fun _ => 0)).
  assert (B : forall ra, In ra (spread ac (members P)) -> (fst (fst ra) < size g)%N /\ 0 <= snd ra).
  { intros ra I. apply spread_In in I. destruct I as (v & I & J). unfold ac, all_charges in J.
    destruct (has (read_inside g P) v || (0 <? 0)); [|destruct J].
    pose proof (members_below g P Pr v I) as L. pose proof (positive g S v L). apply in_app_or in J. destruct J as [J | J].
    - destruct (costly g v); [|destruct J]. destruct J as [<- | []]. cbn [fst snd]. split; [exact L | nia].
    - apply in_map_iff in J. destruct J as (i & <- & _). cbn [fst snd]. split; [exact L | nia]. }
  split; [|exact B].
  set (vs := filter (is_step g P) (members P)). set (ranks := ranks_of vs). set (marks := marks_of g P ranks vs).
  assert (Dv : NoDup vs) by (apply NoDup_filter, (members_distinct g P Pr)).
  destruct (ranks_of_spec vs Dv) as (R1 & R2 & R3). fold ranks in R1, R2, R3.
  assert (Vs : forall v, In v vs <-> In v (members P) /\ is_step g P v = true) by (intros v; apply filter_In).
  assert (Mk : forall u i, N.testbit (bits marks u) i = true <-> exists w, find ranks w = Some i /\ In u (inner g P w)).
  { intros u i. unfold marks. rewrite marks_of_spec. split; [intros (w & _ & Q); eauto|]. intros (w & F & I). exists w. eauto. }
  pose proof (Least P (claimed pt) Pr Sh) as Claim. set (ex := excess_in P) in *.
  assert (Read : forall u, In u (members P) -> is_value marks u = true -> has (read_inside g P) u = true).
  { intros u I Va. unfold is_value in Va. apply negb_true_iff, N.eqb_neq in Va.
    assert (E : exists i, N.testbit (bits marks u) i = true).
    { exists (N.log2 (bits marks u)). apply N.bit_log2, Va. }
    destruct E as (i & T). apply Mk in T. destruct T as (w & F & J). apply R2, Vs in F. destruct F as (F & _).
    eapply read_inside_has; eauto. }
  assert (K : 2 * search_share pt * ex <= sum (charge_of (spread ac (members P))) (events g (chosen readers) p)); [|nia].
  assert (One : forall u e a, In u (members P) -> In (e, a) (ac u) -> a <= charge_of (spread ac (members P)) e).
  { intros u e a I J. apply charge_of_ge; [intros ra Q; apply B, Q|]. apply spread_In. eauto. }
  eapply (excess_charged r g M P marks Pr); try eassumption; [lia | | |].
  - apply charge_of_nonneg. intros ra I. apply B, I.
  - intros u I Va Co. apply (One u); [exact I|]. unfold ac, all_charges. rewrite (Read u I Va), Co. left; reflexivity.
  - intros u i I Va L. apply (One u); [exact I|]. unfold ac, all_charges. rewrite (Read u I Va). apply in_or_app. right.
    apply in_map_iff. exists i. split; [reflexivity|]. apply span_In. lia.
Qed.
(* THEOREM E1: what the search shows of a piece, its charges pay for. *)
Theorem search_sound : recompute r = false -> forall pt shown charges, enter_search pt = (Shown, (shown, charges)) ->
  2 * shown <= sum (charge_of charges) (events g (chosen readers) p)
  /\ (forall ra, In ra charges -> (fst (fst ra) < size g)%N /\ 0 <= snd ra).
Proof.
  intros once. apply claim_charged. intros P claim Pr Sh. unfold excess_in.
  set (vs := filter (is_step g P) (members P)) in *. set (ranks := ranks_of vs). set (marks := marks_of g P ranks vs).
  assert (Dv : NoDup vs) by (apply NoDup_filter, (members_distinct g P Pr)).
  destruct (ranks_of_spec vs Dv) as (R1 & R2 & R3). fold ranks in R1, R2, R3.
  assert (Vs : forall v, In v vs <-> In v (members P) /\ is_step g P v = true) by (intros v; apply filter_In).
  assert (Mk : forall u i, N.testbit (bits marks u) i = true <-> exists w, find ranks w = Some i /\ In u (inner g P w)).
  { intros u i. unfold marks. rewrite marks_of_spec. split; [intros (w & _ & Q); eauto|]. intros (w & F & I). exists w. eauto. }
  set (ex := excess g P marks (chosen readers) p).
  unfold search_piece in Sh. fold vs ranks marks in Sh. destruct (_ && _); [|discriminate].
    assert (Ne : 0 <= ex) by (apply sum_nonneg; intros u I; eapply exceeds_nonneg; eauto).
    destruct (Z.leb_spec (claim) 0); [lia|].
    eapply (searched_sound r g M P ranks marks (claim) Pr); try eassumption.
    - intros v I Z. apply R1, Vs. auto.
    - intros v i F. apply Vs. eapply R2, F.
Qed.
End Parts.
Lemma all_searched : forall g (E : list row) ys, (forall y, In y ys -> 2 * fst y <= sum (charge_of (snd y)) E
    /\ forall ra, In ra (snd y) -> (fst (fst ra) < size g)%N /\ 0 <= snd ra) ->
  2 * total fst ys <= sum (charge_of (spread snd ys)) E
  /\ forall ra, In ra (spread snd ys) -> (fst (fst ra) < size g)%N /\ 0 <= snd ra.
Proof.
  intros g E ys H. split.
  - rewrite total_sum, (sum_ext _ _ _ E (fun e _ => charge_of_spread _ snd ys e)), sum_swap, <- sum_times.
    apply sum_le. intros y I. apply H, I.
  - intros ra I. apply spread_In in I. destruct I as (y & I & J). apply (H y I), J.
Qed.
