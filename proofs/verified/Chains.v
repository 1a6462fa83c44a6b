(* Checks loads in windows that begin at computations, in the stages between the vertices of a chain (W7),
   where values may be computed any number of times. *)
Require Import List NArith ZArith Bool Lia.
From RedBlue Require Import Game Plays Compulsory Maps Dags Pieces Moments Fronts Ledger Orders Windows Reloads.
Import ListNotations.
Open Scope Z_scope.

(* A window of a vertex x: until its end is computed for the first time, or the play is over; a flow; and
   the values of which some is charged to stores. *)
Record chain_window := {
  last_vertex : option N;
  chain_edges : list N;
  chain_amounts : list Z;
  paid_stores : list (N * Z)
}.
Record chain_moment := {
  moment_vertex : N;
  moment_price : Z;
  moment_windows : list chain_window
}.

Section Chains.
Variables (r : rules) (g : dag) (M : Z) (P : piece) (chain : list N).
Notation V := (members P).
Definition reached_by (y : option N) : N -> bool :=
  match y with Some z => let c := common g P [z] in fun v => c v || (v =? z)%N | None => fun _ => true end.
Definition later_than (y : option N) : N -> bool :=
  match y with Some z => let m := fst (follow g P [z]) in has m | None => fun _ => false end.
Definition windows_first (x : N) (above : N -> bool) : N :=
  N.of_nat (length (filter (fun w => above w || (w =? x)%N) chain)).
Definition windows_last (y : option N) : N :=
  let late := later_than y in N.of_nat (length (filter (fun w => negb (late w)) chain)).
Definition window_charges (charged stored : N -> Z) (lo hi : N) (v : N) : list (row * Z) :=
  let a := charged v in
  if 0 <? a then
    let s := stored v in
    (if 0 <? s then [((v, 0%N), 2 * s)] else [])
    ++ (if s <? a then List.map (fun i => ((v, i + 1)%N, 2 * (a - s))) (span lo hi) else [])
  else [].

(* What flows from the inputs before x, through which values, and whom that charges. *)
Definition of_chain_window (x : N) (above : N -> bool) (below : map unit) (w : chain_window)
  : option (Z * map Z * list (row * Z)) :=
  match flow_of P (chain_edges w) (chain_amounts w) with
  | None => None
  | Some flow =>
      let carried := totals tail amount flow (empty Z) in
      let grown := supplies flow [] in
      let stores := fold_left (fun m va => put m (fst va) (snd va)) (paid_stores w) (empty Z) in
      let until_ := reached_by (last_vertex w) in
      let sources := fun v => above v && is_input g v in
      let own := set_of (operands g x) in
      let charged := fun v => if has own v then 0 else get carried v in
      if match last_vertex w with Some y => has (inside P) y && has below y | None => true end
         && rising 0 (size g) (List.map fst (paid_stores w))
         && forallb (fun va => (0 <=? snd va) && (snd va <=? charged (fst va)) && costly g (fst va)) (paid_stores w)
         && forallb (fun v => (negb (has below v) || (get carried v =? 0))
              && (sources v || (has below v && until_ v) || (get grown v =? 0))) V
      then Some (total (fun v => if sources v then get grown v else 0) V, carried,
                 spread (window_charges charged (get stores) (windows_first x above) (windows_last (last_vertex w))) V)
      else None
  end.
Definition chain_room (x : N) : Z := M - taken r g x - total (words g) (operands g x).
Definition enter_chain (o : chain_moment) : option (Z * list (row * Z)) :=
  let x := moment_vertex o in
  let price := moment_price o in
  if has (inside P) x && negb (is_input g x) && (0 <=? price) && (price <=? most_flow / total (words g) V) then
    let above := common g P [x] in
    let below := fst (follow g P [x]) in
    match all_of (of_chain_window x above below) (moment_windows o) with
    | None => None
    | Some shown =>
        let through_all := fun v => total (fun s => get (snd (fst s)) v) shown in
        let own := set_of (operands g x) in
        if forallb (fun v => through_all v <=? most_flow) V then
          Some (total (fun s => fst (fst s)) shown - price * chain_room x
                - total (fun v => if has own v then through_all v else Z.max 0 (through_all v - price * words g v)) V,
                spread snd shown)
        else None
    end
  else None.

Hypothesis S : sound g.
Hypothesis some_memory : 0 <= M.
Hypothesis proper_P : proper g P.
Hypothesis chain_computed : forall w, In w chain -> is_input g w = false.
Variables (p : list move) (t : state).
Hypothesis played : run r g M p (start g) = Some t.
Hypothesis ended : finished g t = true.
Let stages_at : N -> list N := fun _ => chain.
Notation E := (events g stages_at p).

Lemma own_follows : forall z v, In z V -> (has (fst (follow g P [z])) v = true ->
  forall Q : N -> Prop, Q z -> (forall w u, Q u -> In u (operands g w) -> Q w) -> Q v).
Proof.
  intros z v I H Q Qz C. destruct (follow_sound g P [z] Q) as (F & _); [intros w [<- | []]; exact Qz | exact C|]. auto.
Qed.

(* The play until a vertex is computed for the first time. *)
Lemma until_vertex : forall x, In x V -> is_input g x = false -> exists b s, p = upto x p ++ Compute x :: b
  /\ walks r g M (start g) (upto x p) s /\ tidy g s /\ used g s <= M - taken r g x
  /\ (forall u, In u (operands g x) -> In u (red s)) /\ walks r g M s (Compute x :: b) t
  /\ (forall v, common g P [x] v = true -> been (upto x p) v = true)
  /\ (forall v, has (fst (follow g P [x])) v = true -> been (upto x p) v = false /\ is_input g v = false).
Proof.
  intros x I Z. pose proof (run_walks _ _ _ _ _ _ played) as W.
  pose proof (all_computed r g M S p t W ended x (members_below g P proper_P x I) Z) as C.
  destruct (upto_split x p C) as (b & Ep). pose proof played as R. rewrite Ep in R.
  destruct (moment r g M S some_memory (upto x p) b x t R) as (s & A & T & U & O & Lx & Zx & y & Wy & _ & _ & St).
  assert (Closed : forall v u, been (upto x p) v = true -> In u (operands g v) -> been (upto x p) u = true)
    by (intros v u; eapply been_closed; eauto).
  assert (Nx : been (upto x p) x = false).
  { apply not_true_iff_false. intros B. apply (upto_not x p). eapply been_computed; eauto. }
  exists b, s. repeat split; auto; try apply T.
  - econstructor; eauto.
  - intros v H. apply (common_sound g P [x] x (fun u => been (upto x p) u = true)); auto; [left; reflexivity|].
    intros u J. eapply red_been; eauto.
  - apply (own_follows x v I H); [exact Nx|]. intros w u Q J. apply not_true_iff_false. intros B.
    rewrite (Closed w u B J) in Q. discriminate.
  - apply (own_follows x v I H); [exact Z|]. intros w u _ J. eapply operand_not_input; eauto.
Qed.

Lemma by_value : forall (E0 : list row) (c : row -> Z) (f : N -> Z), (forall e, 0 <= c e) ->
  (forall v, In v V -> 0 < f v -> exists rows, NoDup rows /\ incl rows E0 /\ (forall e, In e rows -> fst e = v) /\ f v <= sum c rows) ->
  sum f V <= sum c E0.
Proof.
  intros E0 c f C H. eapply Z.le_trans with (sum (fun v => sum (fun e => if (fst e =? v)%N then c e else 0) E0) V).
  - apply sum_le. intros v I.
    assert (N0 : 0 <= sum (fun e : row => if (fst e =? v)%N then c e else 0) E0)
      by (apply sum_nonneg; intros e _; destruct (fst e =? v)%N; [apply C | lia]).
    destruct (Z.le_gt_cases (f v) 0) as [L | L]; [lia|]. destruct (H v I L) as (rows & D & Inc & F & Le).
    eapply Z.le_trans; [exact Le|]. rewrite (sum_ext _ c (fun e => if (fst e =? v)%N then c e else 0)).
    + apply sum_incl; auto. intros e _. destruct (fst e =? v)%N; [apply C | lia].
    + intros e J. rewrite (F e J), N.eqb_refl. reflexivity.
  - rewrite sum_swap. apply sum_le. intros e _.
    destruct (in_dec N.eq_dec (fst e) V) as [I | I].
    + rewrite (sum_one (fun _ => c e)); [lia | apply (members_distinct g P proper_P) | exact I].
    + rewrite sum_zero; [apply C|]. intros v J. destruct (N.eqb_spec (fst e) v) as [<- | _]; [contradiction | reflexivity].
Qed.

Lemma stored_part : forall l v, get (fold_left (fun m va => put m (fst va) (snd va)) l (empty Z)) v = 0
  \/ exists a, In (v, a) l /\ get (fold_left (fun m va => put m (fst va) (snd va)) l (empty Z)) v = a.
Proof.
  intros l v.
  assert (G : forall l m, get (fold_left (fun m va => put m (fst va) (snd va)) l m) v = get m v
    \/ exists a, In (v, a) l /\ get (fold_left (fun m va => put m (fst va) (snd va)) l m) v = a).
  { induction l0 as [|(u, a) k IH]; simpl; intros m; [auto|]. destruct (IH (put m u a)) as [Q | (c & I & Q)]; [|right; exists c; auto].
    rewrite Q. unfold get at 1 3. rewrite find_put. destruct (N.eqb_spec u v) as [-> | _]; [right; exists a; auto | auto]. }
  destruct (G l (empty Z)) as [Q | Q]; [left; rewrite Q; apply get_empty | auto].
Qed.

Section Window.
Variables (x : N) (w : chain_window) (value_ : Z) (carried : map Z) (charges : list (row * Z)) (b : list move) (s : state).
Hypothesis split_x : p = upto x p ++ Compute x :: b.
Hypothesis at_x : walks r g M (start g) (upto x p) s.
Hypothesis rest_x : walks r g M s (Compute x :: b) t.
Hypothesis operands_x : forall u, In u (operands g x) -> In u (red s).
Hypothesis above_been : forall v, common g P [x] v = true -> been (upto x p) v = true.
Hypothesis below_not : forall v, has (fst (follow g P [x])) v = true -> been (upto x p) v = false /\ is_input g v = false.
Hypothesis shown : of_chain_window x (common g P [x]) (fst (follow g P [x])) w = Some (value_, carried, charges).

(* The moves of the window: those before its end, and the rest of them. *)
Lemma window_moves : exists seg z, walks r g M s seg z
  /\ (forall v, has (fst (follow g P [x])) v = true -> reached_by (last_vertex w) v = true -> In v V -> In (Compute v) seg)
  /\ (forall u, In (Load u) seg -> exists c d, p = (upto x p ++ Compute x :: c) ++ Load u :: d
        /\ forall v, later_than (last_vertex w) v = true -> ~ In (Compute v) (upto x p ++ Compute x :: c)).
Proof.
  assert (Later : forall v, been (upto x p) v = false -> is_input g v = false -> forall q, In (Compute v) (upto x p ++ q) -> In (Compute v) q).
  { intros v N _ q J. apply in_app_or in J. destruct J as [J | J]; [|exact J]. exfalso.
    apply computes_In in J. unfold been in N. rewrite J in N. discriminate. }
  destruct (last_vertex w) as [y |] eqn:Ly.
  - assert (By : has (fst (follow g P [x])) y = true /\ In y V).
    { pose proof shown as H. unfold of_chain_window in H. destruct (flow_of _ _ _); [|discriminate].
      match type of H with (if ?c then _ else _) = _ => destruct c eqn:C; [|discriminate] end.
      apply andb_prop in C. destruct C as (C & _). apply andb_prop in C. destruct C as (C & _).
      apply andb_prop in C. destruct C as (C & _). rewrite Ly in C. apply andb_prop in C. destruct C as (C1 & C2).
      split; [exact C2 | apply (inside_members g P proper_P), C1]. }
    destruct By as (By & Iy). destruct (below_not y By) as (Ny & Zy).
    destruct (until_vertex y Iy Zy) as (b' & s' & Ey & _ & _ & _ & _ & _ & Above_y & Below_y).
    assert (Pre : exists e, upto y p = upto x p ++ e).
    { assert (Eq : upto x p ++ Compute x :: b = upto y p ++ Compute y :: b') by congruence.
      destruct (prefix_of _ _ _ _ Eq) as [Q | (e & Q & Ne)]; [exact Q|]. exfalso.
      rewrite Q in Eq. rewrite <- app_assoc in Eq. apply app_inv_head in Eq. destruct e as [|m e]; [congruence|].
      simpl in Eq. injection Eq as -> _. unfold been in Ny. apply orb_false_iff in Ny. destruct Ny as (Ny & _).
      assert (K : computes y (upto x p) = true) by (apply computes_In; rewrite Q; apply in_or_app; right; left; reflexivity).
      congruence. }
    destruct Pre as (e & Pre).
    assert (Seg : Compute x :: b = (e ++ [Compute y]) ++ b').
    { assert (Eq : upto x p ++ Compute x :: b = upto y p ++ Compute y :: b') by congruence.
      rewrite Pre, <- app_assoc in Eq. apply app_inv_head in Eq. rewrite <- app_assoc. exact Eq. }
    assert (Ws : exists z, walks r g M s (e ++ [Compute y]) z).
    { pose proof rest_x as Q. rewrite Seg in Q. apply walks_app in Q. destruct Q as (z & Q & _). eauto. }
    destruct Ws as (z & Ws). exists (e ++ [Compute y]), z. split; [exact Ws|]. split.
    + intros v Bv Rv Iv. destruct (below_not v Bv) as (Nv & Zv). apply (Later v Nv Zv). rewrite app_assoc, <- Pre.
      simpl in Rv. apply orb_prop in Rv. destruct Rv as [Rv | Rv].
      * apply in_or_app. left. eapply been_computed; [|apply Above_y, Rv | exact Zv].
        rewrite <- Ey. exact played.
      * apply N.eqb_eq in Rv. subst v. apply in_or_app. right. left. reflexivity.
    + intros u Ju. apply in_app_or in Ju. destruct Ju as [Ju | [Ju | []]]; [|discriminate].
      apply in_split in Ju. destruct Ju as (c & d & Ec).
      destruct c as [|m c].
      { exfalso. rewrite Ec in Seg. simpl in Seg. discriminate. }
      assert (Em : m = Compute x) by (rewrite Ec in Seg; simpl in Seg; injection Seg as <- _; reflexivity). subst m.
      exists c, (d ++ Compute y :: b'). split.
      * transitivity (upto y p ++ Compute y :: b'); [exact Ey|]. rewrite Pre, Ec. repeat (rewrite <- app_assoc; simpl). reflexivity.
      * intros v Lv J. simpl in Lv. destruct (Below_y v Lv) as (Nv & _).
        assert (K : computes v (upto y p) = true).
        { apply computes_In. rewrite Pre, Ec. rewrite in_app_iff in J |- *. destruct J as [J | J]; [left; exact J|].
          right. apply in_or_app. left. exact J. }
        unfold been in Nv. rewrite K in Nv. discriminate.
  - exists (Compute x :: b), t. split; [exact rest_x|]. split.
    + intros v Bv _ Iv. destruct (below_not v Bv) as (Nv & Zv). apply (Later v Nv Zv). rewrite <- split_x.
      apply (all_computed r g M S p t (run_walks _ _ _ _ _ _ played) ended v (members_below g P proper_P v Iv) Zv).
    + intros u [Q | Ju]; [discriminate|]. apply in_split in Ju. destruct Ju as (c & d & Ec). exists c, d.
      split; [|simpl; discriminate]. transitivity (upto x p ++ Compute x :: b); [exact split_x|]. rewrite Ec, <- app_assoc. reflexivity.
Qed.

Theorem chain_window_shows :
  2 * (value_ - sum (fun u => if mem u (red s) then get carried u else 0) V) <= sum (charge_of charges) E
  /\ forall ra, In ra charges -> (fst (fst ra) < size g)%N /\ 0 <= snd ra.
Proof.
  destruct window_moves as (seg & z & Ws & Targets & Loads).
  pose proof shown as H. unfold of_chain_window in H.
  destruct (flow_of P (chain_edges w) (chain_amounts w)) as [flow |] eqn:Fl; [|discriminate].
  match type of H with (if ?c then _ else _) = _ => destruct c eqn:C; [|discriminate] end.
  apply andb_prop in C. destruct C as (C & Ok). apply andb_prop in C. destruct C as (C & St).
  apply andb_prop in C. destruct C as (_ & Ri). rewrite forallb_forall in Ok, St.
  injection H as Hv Hc Hl.
  set (stores := get (fold_left (fun m va => put m (fst va) (snd va)) (paid_stores w) (empty Z))) in *.
  set (charged := fun v => if has (set_of (operands g x)) v then 0 else get (totals tail amount flow (empty Z)) v) in *.
  set (lo := windows_first x (common g P [x])) in *. set (hi := windows_last (last_vertex w)) in *.
  set (sources := fun v => common g P [x] v && is_input g v) in *.
  pose proof (flow_spec g P _ _ _ proper_P Fl) as Ed.
  assert (Through0 : forall v, 0 <= through flow v).
  { intros v. apply sum_nonneg. intros e I. unfold if_eq. destruct (tail e =? v)%N; [|lia]. apply Ed, I. }
  assert (Ch : forall v, charged v = if has (set_of (operands g x)) v then 0 else through flow v).
  { intros v. unfold charged. rewrite carried_is. reflexivity. }
  assert (Ch0 : forall v, 0 <= charged v).
  { intros v. rewrite Ch. destruct (has _ v); [lia | apply Through0]. }
  assert (Sto : forall v, 0 < stores v -> stores v <= charged v /\ costly g v = true).
  { intros v Q. destruct (stored_part (paid_stores w) v) as [Z0 | (a & I & Ea)]; [unfold stores in Q; lia|]. specialize (St _ I). cbn [fst snd] in St.
    apply andb_prop in St. destruct St as (St & Co). apply andb_prop in St. destruct St as (_ & St). apply Z.leb_le in St.
    split; [unfold stores; rewrite Ea; exact St | exact Co]. }
  assert (Bounds : forall ra, In ra charges -> (fst (fst ra) < size g)%N /\ 0 <= snd ra).
  { intros ra I. rewrite <- Hl in I. apply spread_In in I. destruct I as (v & I & J). unfold window_charges in J.
    pose proof (members_below g P proper_P v I) as L.
    destruct (0 <? charged v); [|destruct J]. apply in_app_or in J. destruct J as [J | J].
    - destruct (Z.ltb_spec 0 (stores v)) as [Q | Q]; [|destruct J]. destruct J as [<- | []]. cbn [fst snd]. split; [exact L | lia].
    - destruct (Z.ltb_spec (stores v) (charged v)) as [Q | Q]; [|destruct J]. apply in_map_iff in J. destruct J as (i & <- & _).
      cbn [fst snd]. split; [exact L | lia]. }
  split; [|exact Bounds].
  assert (Ok' : forall v, In v V -> sources v = false -> supply flow [] v = 0
      \/ (is_input g v = false /\ In (Compute v) seg /\ been (upto x p) v = false)).
  { intros v I Q. specialize (Ok v I). apply andb_prop in Ok. destruct Ok as (_ & K). change (common g P [x] v && is_input g v) with (sources v) in K.
    rewrite Q, supplies_is in K.
    destruct (has (fst (follow g P [x])) v && reached_by (last_vertex w) v) eqn:Tg.
    - right. apply andb_prop in Tg. destruct Tg as (T1 & T2). destruct (below_not v T1) as (Nv & Zv). auto.
    - left. simpl in K. apply Z.eqb_eq, K. }
  assert (Cross : value_ <= sum (fun u => if mem u (red s) || (loads u seg && mem u (blue s)) then through flow u else 0) V).
  { rewrite <- Hv, total_sum, (sum_ext _ _ (fun v => if sources v then supply flow [] v else 0)).
    - apply (crossed r g M P proper_P (fun _ => chain) (upto x p) s seg z flow sources at_x Ws).
      + intros e I. destruct (Ed e I) as (P1 & P2 & P3 & P4 & _). auto.
      + intros v Q. unfold sources in Q. apply andb_prop in Q. apply Q.
      + exact Ok'.
    - intros v _. rewrite supplies_is. reflexivity. }
  set (f := fun u => if negb (mem u (red s)) && (loads u seg && mem u (blue s)) then 2 * charged u else 0).
  assert (Split : value_ - sum (fun u => if mem u (red s) then get carried u else 0) V
      <= sum (fun u => if negb (mem u (red s)) && (loads u seg && mem u (blue s)) then charged u else 0) V).
  { assert (Le : sum (fun u => if mem u (red s) || (loads u seg && mem u (blue s)) then through flow u else 0) V
      <= sum (fun u => if mem u (red s) then get carried u else 0) V
       + sum (fun u => if negb (mem u (red s)) && (loads u seg && mem u (blue s)) then charged u else 0) V); [|lia].
    rewrite <- sum_plus. apply sum_le. intros u I. rewrite <- Hc, carried_is, Ch.
    destruct (mem u (red s)) eqn:Ru; simpl; [lia|]. destruct (loads u seg && mem u (blue s)); [|lia].
    destruct (has (set_of (operands g x)) u) eqn:Ou; [|lia]. apply has_set_of, operands_x, mem_In in Ou. congruence. }
  assert (Main : sum f V <= sum (charge_of charges) E).
  { apply by_value; [apply charge_of_nonneg; intros ra I; apply Bounds, I|]. intros v Iv Pf. unfold f in *.
    destruct (negb (mem v (red s)) && (loads v seg && mem v (blue s))) eqn:Q; [|lia].
    apply andb_prop in Q. destruct Q as (_ & Q). apply andb_prop in Q. destruct Q as (Ld & Bl).
    apply loads_In in Ld. apply mem_In in Bl. assert (Pc : 0 < charged v) by lia.
    destruct (Loads v Ld) as (c & d & Ep & Nl). set (before := upto x p ++ Compute x :: c) in *.
    assert (Ev : In (v, stage stages_at v before + 1)%N E).
    { unfold events. rewrite Ep. apply picks_In. simpl.
      assert (Again : is_input g v && negb (loads v before) = false).
      { destruct (is_input g v) eqn:Zv; [|reflexivity]. simpl. apply negb_false_iff. destruct (sources v) eqn:Sv.
        - unfold sources in Sv. apply andb_prop in Sv. destruct Sv as (Av & _). pose proof played as R. rewrite split_x in R.
          pose proof (been_loaded r g M (upto x p) b x t R v (above_been v Av) Zv) as L. unfold before, loads in *.
          rewrite existsb_app, L. reflexivity.
        - exfalso. destruct (Ok' v Iv Sv) as [K | (K & _)]; [|congruence].
          assert (Sup : supply flow [] v = through flow v).
          { unfold supply, through. simpl. rewrite Z.add_0_r. apply sum_ext. intros e I.
            destruct (Ed e I) as (_ & _ & _ & Op & _). unfold if_eq at 2. destruct (N.eqb_spec (head e) v) as [Q | _]; [|lia].
            rewrite Q in Op. pose proof (operand_not_input _ _ _ Op). congruence. }
          rewrite Ch in Pc. destruct (has (set_of (operands g x)) v); lia. }
      rewrite Again. left. reflexivity. }
    assert (Bj : (lo <= stage stages_at v before <= hi)%N).
    { unfold lo, hi, windows_first, windows_last, stage, stages_at. split; apply N2Z.inj_le; rewrite !nat_N_Z; apply Nat2Z.inj_le, filter_length_le.
      - intros y Iy Q. apply computes_In. unfold before. apply in_or_app. apply orb_prop in Q. destruct Q as [Q | Q].
        + left. pose proof played as R. rewrite split_x in R. eapply been_computed; [exact R | apply above_been, Q | apply chain_computed, Iy].
        + apply N.eqb_eq in Q. subst y. right. left. reflexivity.
      - intros y Iy Q. apply negb_true_iff, not_true_iff_false. intros L. apply (Nl y L), computes_In, Q. }
    assert (In2 : stores v < charged v -> 2 * (charged v - stores v) <= charge_of charges (v, stage stages_at v before + 1)%N).
    { intros Q. apply charge_of_ge; [intros ra J; apply Bounds, J|]. rewrite <- Hl. apply spread_In. exists v. split; [exact Iv|].
      unfold window_charges. apply Z.ltb_lt in Pc, Q. rewrite Pc, Q. apply in_or_app. right. apply in_map_iff.
      exists (stage stages_at v before). split; [reflexivity | apply span_In, Bj]. }
    destruct (Z.ltb_spec 0 (stores v)) as [Ps | Ps].
    - destruct (Sto v Ps) as (Le & Co).
      assert (In1 : 2 * stores v <= charge_of charges (v, 0%N)).
      { apply charge_of_ge; [intros ra J; apply Bounds, J|]. rewrite <- Hl. apply spread_In. exists v. split; [exact Iv|].
        unfold window_charges. apply Z.ltb_lt in Pc. pose proof Ps as Ps'. apply Z.ltb_lt in Ps'. rewrite Pc, Ps'. left. reflexivity. }
      unfold costly in Co. apply negb_true_iff, orb_false_iff in Co. destruct Co as (Zv & Ov).
      assert (Es : In (v, 0%N) E).
      { destruct (blue_came _ _ _ _ _ _ at_x v Bl) as [K | K].
        - apply start_blue in K. destruct K. congruence.
        - apply in_split in K. destruct K as (c1 & c2 & K). unfold events. rewrite split_x, K, <- app_assoc. simpl.
          apply picks_In. simpl. rewrite Ov. left. reflexivity. }
      exists [(v, 0%N); (v, stage stages_at v before + 1)%N]. split; [|split; [|split]].
      + constructor; [intros [Q | []]; injection Q; lia | constructor; [intros [] | constructor]].
      + intros e [<- | [<- | []]]; assumption.
      + intros e [<- | [<- | []]]; reflexivity.
      + cbn [sum]. destruct (Z.eq_dec (stores v) (charged v)) as [Q | Q]; [|specialize (In2 ltac:(lia)); lia].
        pose proof (charge_of_nonneg charges (fun ra J => proj2 (Bounds ra J)) (v, stage stages_at v before + 1)%N). lia.
    - exists [(v, stage stages_at v before + 1)%N]. split; [constructor; [intros [] | constructor]|]. split; [intros e [<- | []]; exact Ev|].
      split; [intros e [<- | []]; reflexivity|]. cbn [sum].
      assert (S0 : 0 <= stores v).
      { unfold stores. destruct (stored_part (paid_stores w) v) as [-> | (a & I & ->)]; [lia|]. specialize (St _ I). cbn [fst snd] in St.
        apply andb_prop in St. destruct St as (St & _). apply andb_prop in St. destruct St as (St & _). apply Z.leb_le, St. }
      specialize (In2 ltac:(lia)). lia. }
  eapply Z.le_trans; [|exact Main].
  assert (Twice : sum f V = 2 * sum (fun u => if negb (mem u (red s)) && (loads u seg && mem u (blue s)) then charged u else 0) V); [|lia].
  rewrite <- sum_times. apply sum_ext. intros u _. unfold f. destruct (_ && _); lia.
Qed.
End Window.

(* THEOREM W7 of one vertex: what its windows show, stores before it and loads in stages after it pay for. *)
Theorem enter_chain_sound : forall o shown charges, enter_chain o = Some (shown, charges) ->
  2 * shown <= sum (charge_of charges) E /\ forall ra, In ra charges -> (fst (fst ra) < size g)%N /\ 0 <= snd ra.
Proof.
  intros o shown charges H. unfold enter_chain in H. set (x := moment_vertex o) in *. set (price := moment_price o) in *.
  destruct (has (inside P) x && negb (is_input g x) && (0 <=? price) && (price <=? most_flow / total (words g) V)) eqn:C; [|discriminate].
  apply andb_prop in C. destruct C as (C & _). apply andb_prop in C. destruct C as (C & Pr). apply Z.leb_le in Pr.
  apply andb_prop in C. destruct C as (C & Zx). apply (inside_members g P proper_P) in C. apply negb_true_iff in Zx.
  destruct (all_of (of_chain_window x (common g P [x]) (fst (follow g P [x]))) (moment_windows o)) as [l |] eqn:Al; [|discriminate].
  match type of H with (if ?c then _ else _) = _ => destruct c; [|discriminate] end. injection H as <- <-.
  set (thr := fun v => total (fun s => get (snd (fst s)) v) l) in *.
  destruct (until_vertex x C Zx) as (b & s & Ep & A & (Ds & Bs) & U & O & W & Above & Below).
  apply all_of_spec in Al. destruct Al as (_ & Al).
  assert (Each : forall e, In e l -> 2 * (fst (fst e) - sum (fun u => if mem u (red s) then get (snd (fst e)) u else 0) V) <= sum (charge_of (snd e)) E
      /\ forall ra, In ra (snd e) -> (fst (fst ra) < size g)%N /\ 0 <= snd ra).
  { intros ((v0 & c0) & ch0) I. destruct (Al _ I) as (w & _ & Hw). cbn [fst snd].
    exact (chain_window_shows x w v0 c0 ch0 b s Ep A W O Above Below Hw). }
  assert (B : forall ra, In ra (spread snd l) -> (fst (fst ra) < size g)%N /\ 0 <= snd ra).
  { intros ra I. apply spread_In in I. destruct I as (e & I & J). destruct (Each e I) as (_ & Q). apply Q, J. }
  split; [|exact B].
  assert (Windows : 2 * (total (fun s => fst (fst s)) l - sum (fun u => if mem u (red s) then thr u else 0) V) <= sum (charge_of (spread snd l)) E).
  { rewrite (sum_ext _ (charge_of (spread snd l)) (fun e => sum (fun y => charge_of (snd y) e) l)) by (intros e _; apply charge_of_spread).
    rewrite sum_swap. eapply Z.le_trans; [|apply (sum_le _ (fun e => 2 * (fst (fst e) - sum (fun u => if mem u (red s) then get (snd (fst e)) u else 0) V)))].
    - rewrite sum_times, sum_minus, total_sum, sum_swap.
      assert (Q : sum (fun u => if mem u (red s) then thr u else 0) V
          = sum (fun u => sum (fun e => if mem u (red s) then get (snd (fst e)) u else 0) l) V); [|lia].
      apply sum_ext. intros u _. unfold thr. rewrite total_sum. destruct (mem u (red s)); [reflexivity|].
      symmetry. apply sum_zero. reflexivity.
    - intros e I. apply Each, I. }
  assert (Held : sum (fun u => if mem u (red s) then thr u else 0) V
    <= price * chain_room x + total (fun v => if has (set_of (operands g x)) v then thr v else Z.max 0 (thr v - price * words g v)) V).
  { rewrite total_sum. set (own := fun v => has (set_of (operands g x)) v).
    assert (T : sum (fun u => if mem u (red s) then thr u else 0) V
      <= price * sum (fun u => if mem u (red s) && negb (own u) then words g u else 0) V
       + sum (fun v => if own v then thr v else Z.max 0 (thr v - price * words g v)) V).
    { rewrite <- sum_times, <- sum_plus. apply sum_le. intros u I. fold own. destruct (own u) eqn:Ou.
      - apply has_set_of, O, mem_In in Ou. rewrite Ou. simpl. lia.
      - rewrite andb_true_r. destruct (mem u (red s)); lia. }
    assert (R : sum (fun u => if mem u (red s) && negb (own u) then words g u else 0) V <= chain_room x); [|unfold own in *; nia].
    unfold chain_room. rewrite total_sum, <- sum_filter.
    assert (Q : sum (words g) (filter (fun u => mem u (red s) && negb (own u)) V) + sum (words g) (operands g x) <= used g s); [|lia].
    rewrite <- sum_app. apply sum_incl.
    - intros u I. pose proof (positive g S u (Bs u I)). lia.
    - assert (F1 : NoDup (filter (fun u => mem u (red s) && negb (own u)) V)) by (apply NoDup_filter, (members_distinct g P proper_P)).
      assert (F3 : forall u, In u (filter (fun u => mem u (red s) && negb (own u)) V) -> ~ In u (operands g x)).
      { intros u I J. apply filter_In in I. destruct I as (_ & I). apply andb_prop in I. destruct I as (_ & I).
        apply negb_true_iff in I. apply has_set_of in J. unfold own in I. congruence. }
      pose proof (distinct g S x (members_below g P proper_P x C)) as F2. clear -F1 F2 F3.
      induction (filter (fun u => mem u (red s) && negb (own u)) V) as [|u k IH]; simpl; [exact F2|].
      inversion F1; subst. constructor.
      + intros I. apply in_app_or in I. destruct I as [I | I]; [tauto|]. apply (F3 u); [left; reflexivity | exact I].
      + apply IH; auto. intros v I. apply F3. right; exact I.
    - intros u I. apply in_app_or in I. destruct I as [I | I]; [|apply O, I]. apply filter_In in I. destruct I as (_ & I).
      apply andb_prop in I. apply mem_In, I. }
  unfold thr in *. cbv beta in *. lia.
Qed.
End Chains.

(* THEOREM W7: all moments together, if their charges stay within what there is. *)
Theorem chains_sound : forall r g M whole chain l denominator total_ charges p,
  sound g -> 0 <= M -> proper g whole ->
  (forall w, In w chain -> is_input g w = false) -> 0 < denominator ->
  gather (enter_chain r g M whole chain) l = Some (total_, charges) -> limits g denominator charges = true ->
  wins r g M p -> compulsory g - (- total_) / denominator <= cost g p.
Proof.
  intros r g M whole chain l d total_ charges p S HM W Z D Q L (t & H & F).
  destruct (gather_sound g _ _ (events g (fun _ => chain) p)
    (enter_chain_sound r g M whole chain S HM W Z p t H F) l total_ charges Q) as (Main & B).
  assert (K : compulsory g + Z.max 0 (- ((- total_) / d)) <= cost g p).
  { apply (ledger r g M (fun _ => chain) p (charge_of charges) d total_ S); auto.
    - exists t. auto.
    - intros v i Lv. eapply limits_sound; eauto. }
  lia.
Qed.
