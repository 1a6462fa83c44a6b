(* Search of all states of the game on a piece where values may be computed again (E3).

   A state is what fast memory holds, what slow memory has of computed values, which inputs have been
   loaded, and which goals are done: steps that nobody in the piece reads. The search looks for states
   and is not trusted; what it finds is checked to be closed: whatever may follow one of them, for less
   than the limit, is no better than another one. A play is at least as dear as some state all the way. *)
Require Import List NArith ZArith Bool Lia FMapPositive.
From RedBlue Require Import Game Plays Compulsory Maps Dags Pieces Moments Fronts Ledger Windows Reloads Held Searches.
Import ListNotations.
Open Scope Z_scope.

Record val_info := { vl_vertex : N; vl_bit : N; vl_words : Z; vl_step : bool; vl_costly : bool; vl_reach : N }.
Record redo := {
  rd_bit : N;                   (* of its result; 0 if nobody in the piece reads that *)
  rd_goal : N;
  rd_operands : list val_info;
  rd_mask : N;
  rd_room : Z;                  (* words that it leaves to other values *)
  rd_reach : N;                 (* the goals that need it *)
  rd_blue : N                   (* of its result, if a store of that costs nothing *)
}.
Record again := { kept : N; in_slow : N; begun : N; goals_done : N }.
Definition best := map (list (again * Z)).

Section Again.
Variables (r : rules) (g : dag) (M : Z) (P : piece) (marks ranks goals reach : map N) (limit : Z).
Notation V := (members P).
Notation holds := (did ranks).
Definition val_of (u : N) : val_info :=
  {| vl_vertex := u; vl_bit := bit ranks u; vl_words := words g u; vl_step := is_step g P u; vl_costly := costly g u;
     vl_reach := bits reach u |}.
Definition is_ranked (u : N) : bool := match find ranks u with Some _ => true | None => false end.
Definition redo_of (v : N) : redo :=
  {| rd_bit := bit ranks v; rd_goal := bit goals v; rd_operands := List.map val_of (filter is_ranked (inner g P v));
     rd_mask := bits_of ranks (inner g P v); rd_room := M - taken r g v - sum (words g) (operands g v);
     rd_reach := bits reach v; rd_blue := if costly g v then 0%N else bit ranks v |}.
Definition live (G u : N) : bool := negb (all_in (bits reach u) G).

(* What may follow a state: operands are loaded, others leave as far as there is no room. *)
Fixpoint bring (ops : list val_info) (n : again) (spent : Z) : option (again * Z) :=
  match ops with
  | [] => Some (n, spent)
  | o :: rest =>
      let more := N.lor (kept n) (vl_bit o) in
      if all_in (vl_bit o) (kept n) then bring rest n spent
      else if vl_step o then
        if all_in (vl_bit o) (in_slow n)
        then bring rest {| kept := more; in_slow := in_slow n; begun := begun n; goals_done := goals_done n |} (spent + vl_words o)
        else None
      else bring rest {| kept := more; in_slow := in_slow n; begun := N.lor (begun n) (vl_bit o); goals_done := goals_done n |}
             (if all_in (vl_bit o) (begun n) then spent + vl_words o else spent)
  end.
Definition lose (c : val_info) (n : again) : again :=
  {| kept := N.ldiff (kept n) (vl_bit c); in_slow := in_slow n; begun := begun n; goals_done := goals_done n |}.
Definition put_away (c : val_info) (n : again) : again :=
  {| kept := N.ldiff (kept n) (vl_bit c); in_slow := N.lor (in_slow n) (vl_bit c); begun := begun n; goals_done := goals_done n |}.
Fixpoint depart (cands : list val_info) (need : Z) (n : again) (spent : Z) (l : list (again * Z)) : list (again * Z) :=
  if limit <=? spent then l
  else if need <=? 0 then (n, spent) :: l
  else match cands with
       | [] => l
       | c :: cs =>
           let l := depart cs need n spent l in
           let need := need - vl_words c in
           if vl_step c && negb (vl_costly c) then depart cs need (put_away c n) spent l
           else let l := depart cs need (lose c n) spent l in
                if vl_step c && negb (all_in (vl_bit c) (in_slow n))
                then depart cs need (put_away c n) (spent + vl_words c) l else l
       end.
Definition is_due (rd : redo) (n : again) : bool :=
  negb (all_in (rd_reach rd) (goals_done n)) && ((rd_bit rd =? 0)%N || negb (all_in (rd_bit rd) (kept n))).
Definition others_of (vals : list val_info) (rd : redo) (n : again) : list val_info :=
  filter (fun c => all_in (vl_bit c) (kept n) && negb (all_in (vl_bit c) (rd_mask rd))) vals.
Definition finish (rd : redo) (n : again) : again :=
  {| kept := N.lor (kept n) (rd_bit rd); in_slow := N.lor (in_slow n) (rd_blue rd); begun := begun n;
     goals_done := N.lor (goals_done n) (rd_goal rd) |}.
Definition outcomes (vals : list val_info) (rd : redo) (n : again) (spent : Z) : list (again * Z) :=
  if is_due rd n then
    match bring (rd_operands rd) n spent with
    | None => []
    | Some (m, s) => let o := others_of vals rd m in depart o (total vl_words o - rd_room rd) m s []
    end
  else [].

(* States that are better, and smaller: what can be computed at once is, what no goal needs is not there. *)
Definition grow (vals : list val_info) (n : again) (rd : redo) : again :=
  if is_due rd n
     && forallb (fun o => all_in (vl_bit o) (kept n)
          || (negb (vl_step o) && negb (all_in (vl_bit o) (begun n)) && negb (rd_goal rd =? 0)%N
              && (N.ldiff (vl_reach o) (goals_done n) =? rd_goal rd)%N)) (rd_operands rd)
     && (total vl_words (others_of vals rd n) <=? rd_room rd)
  then finish rd n else n.
Definition prune (vals : list val_info) (n : again) : again :=
  let mask := fold_left (fun m c => if all_in (vl_reach c) (goals_done n) then m else N.lor m (vl_bit c)) vals 0%N in
  {| kept := N.land (kept n) mask; in_slow := N.land (in_slow n) mask; begun := N.land (begun n) mask; goals_done := goals_done n |}.
Definition better_form (vals : list val_info) (steps : list redo) (n : again) : again :=
  let pass := fun n => prune vals (fold_left (grow vals) steps n) in pass (pass (prune vals n)).

(* The search, and what is checked of what it finds. *)
Definition no_worse (m n : again * Z) : bool :=
  (snd m <=? snd n) && all_in (kept (fst n)) (kept (fst m)) && all_in (in_slow (fst n)) (in_slow (fst m))
  && all_in (begun (fst m)) (begun (fst n)) && all_in (goals_done (fst n)) (goals_done (fst m)).
Definition at_key (b : best) (n : again * Z) : list (again * Z) := match find b (kept (fst n)) with Some l => l | None => [] end.
Definition known (b : best) (n : again * Z) : bool := existsb (fun m => no_worse m n) (at_key b n).
Definition follows (vals : list val_info) (steps : list redo) (n : again * Z) : list (again * Z) :=
  spread (fun rd => List.map (fun ms => (better_form vals steps (finish rd (fst ms)), snd ms)) (outcomes vals rd (fst n) (snd n))) steps.
Definition meet (bf : best * list (again * Z)) (n : again * Z) : best * list (again * Z) :=
  let (b, fresh) := bf in
  if known b n then bf
  else (put b (kept (fst n)) (n :: filter (fun m => negb (no_worse n m)) (at_key b n)), n :: fresh).
Fixpoint explore (fuel : nat) (vals : list val_info) (steps : list redo) (full : N) (left : Z) (b : best) (fresh : list (again * Z))
  : option best :=
  match fresh, fuel with
  | [], _ => Some b
  | _, O => None
  | _, S fuel =>
      if existsb (fun n => all_in full (goals_done (fst n))) fresh then Some b
      else let (b', fresh') := fold_left (fun bf n => fold_left meet (follows vals steps n) bf) fresh (b, []) in
           let left := left - Z.of_nat (length fresh) in
           if left <? 0 then None else explore fuel vals steps full left b' fresh'
  end.
Definition closed_at (vals : list val_info) (steps : list redo) (full : N) (b : best) (n : again * Z) : bool :=
  negb (all_in full (goals_done (fst n))) && forallb (known b) (follows vals steps n).
Definition closed (vals : list val_info) (steps : list redo) (full : N) (b : best) : bool :=
  forallb (fun kl : PositiveMap.key * list (again * Z) => forallb (closed_at vals steps full b) (snd kl)) (PositiveMap.elements b).
Definition nothing : again := {| kept := 0; in_slow := 0; begun := 0; goals_done := 0 |}.

(* Soundness. *)
Hypothesis proper_P : proper g P.
Hypothesis S : sound g.
Hypothesis some_memory : 0 <= M.
Hypothesis ranked : forall u i, find ranks u = Some i -> In u V /\ is_value marks u = true /\ (is_step g P u = true \/ is_input g u = true).
Hypothesis all_ranked : forall u, In u V -> is_value marks u = true -> is_step g P u = true \/ is_input g u = true ->
  exists i, find ranks u = Some i.
Hypothesis apart : forall u v i, find ranks u = Some i -> find ranks v = Some i -> u = v.
Hypothesis reach_up : forall v u, In v V -> is_step g P v = true -> In u (inner g P v) -> all_in (bits reach v) (bits reach u) = true.
Hypothesis goal_ranked : forall v, In v V -> is_step g P v = true -> is_value marks v = false -> exists i, find goals v = Some i /\ N.testbit (bits reach v) i = true.
Variables (chosen : N -> list N) (p : list move) (t : state).
Hypothesis played : run r g M p (start g) = Some t.
Hypothesis ended : finished g t = true.
Notation paid a := (sum (exceeds g marks chosen a) V).

Lemma did_lor : forall k A B v, did k (N.lor A B) v = did k A v || did k B v.
Proof. intros k A B v. unfold did. destruct (find k v); [apply N.lor_spec | reflexivity]. Qed.
Lemma did_land : forall k A B v, did k (N.land A B) v = did k A v && did k B v.
Proof. intros k A B v. unfold did. destruct (find k v); [apply N.land_spec | reflexivity]. Qed.
Lemma did_ldiff : forall k A B v, did k (N.ldiff A B) v = did k A v && negb (did k B v).
Proof. intros k A B v. unfold did. destruct (find k v); [apply N.ldiff_spec | reflexivity]. Qed.
Lemma did_bit : forall u v, holds (bit ranks u) v = true -> u = v.
Proof.
  intros u v H. apply did_spec in H. destruct H as (i & F & T). apply bit_spec in T. eapply apart; eauto.
Qed.
Lemma all_in_bit : forall k A u i, find k u = Some i -> all_in (bit k u) A = did k A u.
Proof.
  intros k A u i F. apply eq_true_iff_eq. rewrite all_in_spec, did_spec. split.
  - intros H. exists i. split; [exact F|]. apply H, bit_spec, F.
  - intros (j & F' & T) j' T'. apply bit_spec in T'. congruence.
Qed.
Lemma did_own : forall u i, find ranks u = Some i -> holds (bit ranks u) u = true.
Proof. intros u i F. apply did_spec. exists i. split; [exact F | apply bit_spec, F]. Qed.
Lemma all_in_did : forall k A B v, all_in A B = true -> did k A v = true -> did k B v = true.
Proof.
  intros k A B v H D. apply did_spec in D. destruct D as (i & F & T). apply did_spec. exists i. split; [exact F|].
  rewrite all_in_spec in H. apply H, T.
Qed.
Lemma live_less : forall G G' u, all_in G G' = true -> live G' u = true -> live G u = true.
Proof.
  intros G G' u H L. unfold live in *. apply negb_true_iff in L. apply negb_true_iff, not_true_iff_false. intros A.
  apply not_true_iff_false in L. apply L. rewrite all_in_spec in *. auto.
Qed.
Lemma all_in_refl : forall A, all_in A A = true.
Proof. intros A. apply all_in_spec. auto. Qed.
Lemma all_in_lor : forall A B, all_in A (N.lor A B) = true.
Proof. intros A B. apply all_in_spec. intros i T. rewrite N.lor_spec, T. reflexivity. Qed.

(* What a state lacks that the play has. *)
Definition fetch (n : again) (x : state) (u : N) : Z :=
  if mem u (red x) && negb (holds (kept n) u)
  then if is_step g P u then words g u else if is_input g u && holds (begun n) u then words g u else 0
  else 0.
Definition keep (n : again) (x : state) (u : N) : Z :=
  if is_step g P u && costly g u && mem u (blue x) && negb (holds (in_slow n) u) then words g u else 0.
Definition lacks (n : again) (x : state) (u : N) : Z :=
  if is_value marks u && live (goals_done n) u then fetch n x u + keep n x u else 0.
Record follows_play (n : again) (spent : Z) (a : list move) (x : state) : Prop := {
  walked : walks r g M (start g) a x;
  goals_made : forall v, In v V -> is_step g P v = true -> is_value marks v = false -> In (Compute v) a -> did goals (goals_done n) v = true;
  loads_made : forall u, holds (begun n) u = true -> In (Load u) a;
  somewhere : forall u, In u V -> is_value marks u = true -> is_step g P u = true -> live (goals_done n) u = true ->
    In u (red x) \/ In u (blue x) -> holds (kept n) u = true \/ holds (in_slow n) u = true;
  cheaper : spent + sum (lacks n x) V <= paid a
}.
Record better (n m : again) : Prop := {
  more_goals : all_in (goals_done n) (goals_done m) = true;
  more_kept : forall u, live (goals_done m) u = true -> holds (kept n) u = true -> holds (kept m) u = true;
  more_slow : forall u, live (goals_done m) u = true -> holds (in_slow n) u = true -> holds (in_slow m) u = true;
  fewer_loads : forall u, holds (begun m) u = true -> holds (begun n) u = true
}.
Lemma better_trans : forall n m k, better n m -> better m k -> better n k.
Proof.
  intros n m k [A B C D] [A' B' C' D']. constructor; auto.
  - rewrite all_in_spec in *. auto.
  - intros u L H. apply B'; [exact L|]. apply B; [eapply live_less; eauto | exact H].
  - intros u L H. apply C'; [exact L|]. apply C; [eapply live_less; eauto | exact H].
Qed.
Lemma better_refl : forall n, better n n.
Proof. intros n. constructor; auto. apply all_in_refl. Qed.
Lemma words_pos : forall u, In u V -> 0 <= words g u.
Proof. intros u I. eapply words_nonneg; eauto. Qed.
Lemma follows_better : forall n m s s' a x, better n m -> s' <= s -> follows_play n s a x -> follows_play m s' a x.
Proof.
  intros n m s s' a x [Go Ke Sl Fe] Le [W Gm Lm So Ch]. constructor; auto.
  - intros v I Z Va C. eapply all_in_did; eauto.
  - intros u I Va Z L H. destruct (So u I Va Z (live_less _ _ _ Go L) H); [left | right]; auto.
  - assert (sum (lacks m x) V <= sum (lacks n x) V); [|lia]. apply sum_le. intros u I. pose proof (words_pos u I). unfold lacks.
    destruct (is_value marks u) eqn:Va; simpl; [|lia]. destruct (live (goals_done m) u) eqn:L.
    + rewrite (live_less _ _ _ Go L). unfold fetch, keep.
      assert (K : negb (holds (kept m) u) = true -> negb (holds (kept n) u) = true).
      { intros Q. apply negb_true_iff in Q. apply negb_true_iff, not_true_iff_false. intros Q'. rewrite (Ke u L Q') in Q. discriminate. }
      assert (K' : negb (holds (in_slow m) u) = true -> negb (holds (in_slow n) u) = true).
      { intros Q. apply negb_true_iff in Q. apply negb_true_iff, not_true_iff_false. intros Q'. rewrite (Sl u L Q') in Q. discriminate. }
      specialize (Fe u).
      destruct (mem u (red x)), (negb (holds (kept m) u)), (negb (holds (kept n) u)), (is_step g P u), (is_input g u), (holds (begun m) u), (holds (begun n) u),
        (costly g u), (mem u (blue x)), (negb (holds (in_slow m) u)), (negb (holds (in_slow n) u)); simpl; try lia;
        try (specialize (K eq_refl); discriminate); try (specialize (K' eq_refl); discriminate); try (specialize (Fe eq_refl); discriminate).
    + destruct (live (goals_done n) u); [|lia]. unfold fetch, keep.
      destruct (_ && _), (is_step g P u), (_ && _); simpl; try lia; destruct (_ && _); lia.
Qed.

(* Moves that a state need not follow. *)
Lemma follows_on : forall n s a m next x y, follows_play n s a x -> step r g M m next x = Some y ->
  (forall v, m = Compute v -> In v V -> is_step g P v = true ->
     (is_value marks v = true -> live (goals_done n) v = true -> holds (kept n) v = true)
     /\ (is_value marks v = false -> did goals (goals_done n) v = true)) ->
  follows_play n s (a ++ [m]) y.
Proof.
  intros n s a m next x y [W Gm Lm So Ch] K Other. pose proof K as K'. apply step_cases in K. constructor.
  - apply walks_app. exists x. split; [exact W|]. econstructor; [exact K' | constructor].
  - intros v I Z Va C. apply in_app_or in C. destruct C as [C | [C | []]]; [auto|]. subst m. apply (Other v eq_refl I Z), Va.
  - intros u H. apply in_or_app. left. apply Lm, H.
  - intros u I Va Z L H. destruct m as [v | v | v | v].
    + destruct K as (_ & B & _ & _ & Q1 & Q2 & _). rewrite Q1, Q2 in H. destruct H as [[<- | H] | H]; auto.
    + destruct K as (_ & R & _ & Q1 & Q2 & _). rewrite Q1, Q2 in H. destruct H as [H | [<- | H]]; auto.
    + destruct K as (_ & _ & _ & _ & _ & _ & Q1 & Q2 & _). rewrite Q1, Q2 in H. destruct H as [[<- | H] | H]; auto.
      left. apply (Other v eq_refl I Z); assumption.
    + destruct K as (_ & _ & Q1 & Q2 & _). rewrite Q1, Q2, in_without in H. apply So; tauto.
  - assert (St : forall u, In u V -> lacks n y u + exceeds g marks chosen a u <= lacks n x u + exceeds g marks chosen (a ++ [m]) u).
    { intros u I. pose proof (words_pos u I) as Pw. pose proof (weighs_nonneg g P marks proper_P S u I) as Pv. rewrite exceeds_snoc.
      assert (Wv : is_value marks u = true -> weighs g marks u = words g u) by (intros Q; unfold weighs; rewrite Q; reflexivity).
      unfold lacks. destruct (is_value marks u) eqn:Va; simpl;
        [|destruct m; try lia; match goal with |- context [if ?c then _ else _] => destruct c; lia end].
      rewrite (Wv eq_refl). destruct (live (goals_done n) u) eqn:L;
        [|destruct m; try lia; match goal with |- context [if ?c then _ else _] => destruct c; lia end].
      unfold fetch, keep. destruct m as [v | v | v | v].
      - destruct K as (_ & B & _ & _ & Q1 & Q2 & _). rewrite Q1, Q2. simpl mem. change (mem u (v :: red x)) with ((u =? v)%N || mem u (red x)).
        rewrite (N.eqb_sym u v). destruct (N.eqb_spec v u) as [-> | _]; simpl; [|lia].
        assert (Fl : is_input g u = true -> holds (begun n) u = true -> loads u a = true).
        { intros _ Q. apply loads_In, Lm, Q. }
        destruct (is_step g P u) eqn:Z.
        + assert (Zi : is_input g u = false) by (eapply step_no_input; eauto). rewrite Zi. simpl.
          destruct (mem u (red x)), (negb (holds (kept n) u)), (costly g u && mem u (blue x) && negb (holds (in_slow n) u)); simpl; lia.
        + destruct (is_input g u) eqn:Zi; simpl; [|destruct (mem u (red x)), (negb (holds (kept n) u)); simpl; lia].
          destruct (holds (begun n) u) eqn:Bg; [rewrite (Fl eq_refl eq_refl); simpl|];
            destruct (mem u (red x)), (negb (holds (kept n) u)); simpl; try lia; destruct (loads u a); simpl; lia.
      - destruct K as (_ & R & _ & Q1 & Q2 & _). rewrite Q1, Q2. change (mem u (v :: blue x)) with ((u =? v)%N || mem u (blue x)).
        rewrite (N.eqb_sym u v). destruct (N.eqb_spec v u) as [-> | _]; simpl; [|lia].
        destruct (costly g u) eqn:Co; [|rewrite !andb_false_r; simpl; destruct (negb (output g u)); lia].
        assert (O : output g u = false) by (unfold costly in Co; apply negb_true_iff, orb_false_iff in Co; tauto). rewrite O. simpl.
        destruct (is_step g P u), (mem u (blue x)), (negb (holds (in_slow n) u)); simpl; lia.
      - destruct K as (_ & Zc & _ & _ & _ & _ & Q1 & Q2 & _). rewrite Q1, Q2. change (mem u (v :: red x)) with ((u =? v)%N || mem u (red x)).
        destruct (N.eqb_spec u v) as [-> | _]; simpl; [|lia]. rewrite Zc. destruct (is_step g P v) eqn:Z.
        + destruct (Other v eq_refl I Z) as (Hk & _). rewrite (Hk Va L). rewrite !andb_false_r. simpl. lia.
        + simpl. destruct (mem v (red x)), (negb (holds (kept n) v)); simpl; lia.
      - destruct K as (_ & _ & Q1 & Q2 & _). rewrite Q1, Q2.
        assert (Mw : mem u (filter (fun z => negb (z =? v)%N) (red x)) = mem u (red x) && negb (u =? v)%N).
        { apply eq_true_iff_eq. rewrite andb_true_iff, negb_true_iff, N.eqb_neq, !mem_In. apply in_without. }
        rewrite Mw. destruct (mem u (red x)), (negb (u =? v)%N), (negb (holds (kept n) u)); simpl; try lia;
          destruct (is_step g P u); simpl; try lia; destruct (is_input g u && holds (begun n) u); lia. }
    assert (sum (fun u => lacks n y u + exceeds g marks chosen a u) V <= sum (fun u => lacks n x u + exceeds g marks chosen (a ++ [m]) u) V)
      by (apply sum_le; exact St). rewrite !sum_plus in *. lia.
Qed.

(* A change of one value. *)
Lemma lacks_one : forall n m x u c, In u V -> goals_done m = goals_done n ->
  (forall v, v <> u -> lacks m x v <= lacks n x v) -> lacks m x u + c <= lacks n x u -> sum (lacks m x) V + c <= sum (lacks n x) V.
Proof.
  intros n m x u c I _ Ot Ow. rewrite <- (sum_one (fun _ => c) u V (members_distinct g P proper_P) I), <- sum_plus.
  apply sum_le. intros v J. destruct (N.eqb_spec u v) as [<- | Ne]; [exact Ow|]. specialize (Ot v ltac:(congruence)). lia.
Qed.
Lemma same_lacks : forall n m x v, goals_done m = goals_done n -> holds (kept m) v = holds (kept n) v ->
  holds (in_slow m) v = holds (in_slow n) v -> holds (begun m) v = holds (begun n) v -> lacks m x v = lacks n x v.
Proof. intros n m x v E1 E2 E3 E4. unfold lacks, fetch, keep. rewrite E1, E2, E3, E4. reflexivity. Qed.
Lemma other_bit : forall A u v, v <> u -> holds (N.lor A (bit ranks u)) v = holds A v.
Proof.
  intros A u v Ne. rewrite did_lor. destruct (holds (bit ranks u) v) eqn:E; [|apply orb_false_r]. apply did_bit in E. congruence.
Qed.
Lemma other_gone : forall A u v, v <> u -> holds (N.ldiff A (bit ranks u)) v = holds A v.
Proof.
  intros A u v Ne. rewrite did_ldiff. destruct (holds (bit ranks u) v) eqn:E; [|apply andb_true_r]. apply did_bit in E. congruence.
Qed.

Lemma bring_follows : forall a x ops n s, follows_play n s a x ->
  (forall u, In u ops -> exists i, find ranks u = Some i) -> (forall u, In u ops -> In u (red x) /\ live (goals_done n) u = true) ->
  exists m s', bring (List.map val_of ops) n s = Some (m, s') /\ follows_play m s' a x /\ goals_done m = goals_done n.
Proof.
  intros a x. induction ops as [|u ops IH]; intros n s F Rk Rd; [exists n, s; auto|].
  destruct (Rk u (or_introl eq_refl)) as (i & Fu). destruct (ranked u i Fu) as (Iu & Va & Kind).
  destruct (Rd u (or_introl eq_refl)) as (Ru & Lu). cbn [List.map bring val_of vl_bit vl_step vl_words].
  rewrite !(all_in_bit _ _ u i Fu).
  destruct (holds (kept n) u) eqn:Hu; [apply IH; auto; intros; [apply Rk | apply Rd]; right; assumption|].
  assert (Mr : mem u (red x) = true) by (apply mem_In, Ru). pose proof (words_pos u Iu) as Pw.
  assert (Own : forall A, holds (N.lor A (bit ranks u)) u = true) by (intros A; rewrite did_lor, (did_own u i Fu); apply orb_true_r).
  destruct (is_step g P u) eqn:Z.
  - destruct F as [W Gm Lm So Ch]. destruct (So u Iu Va Z Lu (or_introl Ru)) as [Q | Q]; [congruence|]. rewrite Q.
    match goal with |- exists m s', bring _ ?k ?e = _ /\ _ => assert (F' : follows_play k e a x) end.
    { constructor; cbn [kept in_slow begun goals_done]; auto.
      - intros w I V0 Z0 L H. destruct (So w I V0 Z0 L H) as [Q' | Q']; [left; rewrite did_lor, Q'; reflexivity | auto].
      - match goal with |- _ + sum (lacks ?k x) V <= _ => assert (K : sum (lacks k x) V + words g u <= sum (lacks n x) V); [|lia] end.
        apply (lacks_one _ _ x u); [exact Iu | reflexivity | |].
        + intros v Ne. rewrite (same_lacks n _ x v); [lia | reflexivity | apply other_bit, Ne | reflexivity | reflexivity].
        + unfold lacks, fetch, keep. cbn [kept in_slow begun goals_done]. rewrite Va, Lu, Mr, Hu, Own, Z. simpl.
          destruct (_ && _); lia. }
    destruct (IH _ _ F') as (m & s' & E & F2 & G2).
    + intros; apply Rk; right; assumption.
    + intros; cbn [goals_done]; apply Rd; right; assumption.
    + exists m, s'. split; [exact E | split; [exact F2 | exact G2]].
  - destruct Kind as [K | Zi]; [congruence|]. destruct F as [W Gm Lm So Ch].
    match goal with |- exists m s', bring _ ?k ?e = _ /\ _ => assert (F' : follows_play k e a x) end.
    { constructor; cbn [kept in_slow begun goals_done]; auto.
      - intros w H. rewrite did_lor in H. apply orb_prop in H. destruct H as [H | H]; [auto|]. apply did_bit in H. subst w.
        eapply input_loaded; eauto.
      - intros w I V0 Z0 L H. destruct (So w I V0 Z0 L H) as [Q' | Q']; [left; rewrite did_lor, Q'; reflexivity | auto].
      - match goal with |- (if _ then _ else _) + sum (lacks ?k x) V <= _ =>
          assert (K : sum (lacks k x) V + (if holds (begun n) u then words g u else 0) <= sum (lacks n x) V); [|destruct (holds (begun n) u); lia] end.
        apply (lacks_one _ _ x u); [exact Iu | reflexivity | |].
        + intros v Ne. rewrite (same_lacks n _ x v); [lia | reflexivity | apply other_bit, Ne | reflexivity | apply other_bit, Ne].
        + unfold lacks, fetch, keep. cbn [kept in_slow begun goals_done]. rewrite Va, Lu, Mr, Hu, Own, Z, Zi. simpl.
          destruct (holds (begun n) u); lia. }
    destruct (IH _ _ F') as (m & s' & E & F2 & G2).
    + intros; apply Rk; right; assumption.
    + intros; cbn [goals_done]; apply Rd; right; assumption.
    + exists m, s'. split; [exact E | split; [exact F2 | exact G2]].
Qed.

Lemma depart_more : forall cands need n s l, incl l (depart cands need n s l).
Proof.
  induction cands as [|c cs IH]; intros need n s l e I; cbn [depart].
  - destruct (limit <=? s); [exact I|]. destruct (need <=? 0); [right; exact I | exact I].
  - destruct (limit <=? s); [exact I|]. destruct (need <=? 0); [right; exact I|].
    destruct (vl_step c && negb (vl_costly c)); [apply IH, IH, I|].
    destruct (vl_step c && negb (all_in (vl_bit c) (in_slow n))); repeat apply IH; exact I.
Qed.
Lemma depart_follows : forall a x us need n s l, follows_play n s a x -> (forall u, In u us -> exists i, find ranks u = Some i) ->
  need - sum (fun u => if mem u (red x) then 0 else words g u) us <= 0 ->
  (exists m s', In (m, s') (depart (List.map val_of us) need n s l) /\ follows_play m s' a x /\ goals_done m = goals_done n)
  \/ limit <= paid a.
Proof.
  assert (Spent : forall a x n s, follows_play n s a x -> s <= paid a).
  { intros a x n s [_ _ _ _ Ch]. assert (0 <= sum (lacks n x) V); [|lia]. apply sum_nonneg. intros u I. pose proof (words_pos u I).
    unfold lacks, fetch, keep. destruct (is_value marks u && live (goals_done n) u); [|lia].
    destruct (mem u (red x) && negb (holds (kept n) u)), (is_step g P u); simpl; try (destruct (is_input g u && holds (begun n) u));
      try (match goal with |- context [if ?c then _ else _] => destruct c end); lia. }
  intros a x. induction us as [|u us IH]; intros need n s l F Rk Le; cbn [List.map depart].
  - destruct (Z.leb_spec limit s) as [Q | _]; [right; specialize (Spent _ _ _ _ F); lia|]. simpl in Le.
    destruct (Z.leb_spec need 0) as [_ | Q]; [|lia]. left. exists n, s. split; [left; reflexivity | auto].
  - destruct (Z.leb_spec limit s) as [Q | _]; [right; specialize (Spent _ _ _ _ F); lia|].
    destruct (Z.leb_spec need 0) as [_ | Need]; [left; exists n, s; split; [left; reflexivity | auto]|].
    destruct (Rk u (or_introl eq_refl)) as (i & Fu). destruct (ranked u i Fu) as (Iu & Va & Kind).
    assert (Rk' : forall u0, In u0 us -> exists i0, find ranks u0 = Some i0) by (intros; apply Rk; right; assumption).
    cbn [sum] in Le. cbn [val_of vl_step vl_costly vl_words vl_bit]. rewrite !(all_in_bit _ _ u i Fu).
    change {| vl_vertex := u; vl_bit := bit ranks u; vl_words := words g u; vl_step := is_step g P u; vl_costly := costly g u; vl_reach := bits reach u |} with (val_of u).
    assert (Up : forall L1 L2, incl L1 L2 -> (exists m s', In (m, s') L1 /\ follows_play m s' a x /\ goals_done m = goals_done n) \/ limit <= paid a ->
       (exists m s', In (m, s') L2 /\ follows_play m s' a x /\ goals_done m = goals_done n) \/ limit <= paid a).
    { intros L1 L2 Inc [(m & s' & I & Q) | Q]; [left; exists m, s'; split; [apply Inc, I | exact Q] | right; exact Q]. }
    set (l1 := depart (List.map val_of us) need n s l).
    destruct (mem u (red x)) eqn:Mr.
    { (* it stays *)
      eapply Up; [|apply (IH need n s l F Rk'); lia]. fold l1.
      destruct (is_step g P u && negb (costly g u)); [apply depart_more|].
      destruct (is_step g P u && negb (holds (in_slow n) u)); [|apply depart_more].
      intros e I. apply depart_more, depart_more, I. }
    pose proof (words_pos u Iu) as Pw. destruct F as [W Gm Lm So Ch].
    assert (Nr : ~ In u (red x)) by (apply mem_not_In, Mr).
    assert (Lost : (is_step g P u = true -> live (goals_done n) u = true -> In u (blue x) -> holds (in_slow n) u = true) -> follows_play (lose (val_of u) n) s a x).
    { intros H. constructor; cbn [lose kept in_slow begun goals_done val_of vl_bit]; auto.
      - intros w I V0 Z0 L Q. destruct (N.eq_dec w u) as [-> | Ne].
        + right. destruct Q as [Q | Q]; [contradiction | apply H; assumption].
        + rewrite (other_gone _ u w Ne). apply So; assumption.
      - assert (K : sum (lacks (lose (val_of u) n) x) V + 0 <= sum (lacks n x) V); [|lia].
        apply (lacks_one _ _ x u); [exact Iu | reflexivity | |].
        + intros v Ne. rewrite (same_lacks n _ x v); [lia | reflexivity | apply other_gone, Ne | reflexivity | reflexivity].
        + unfold lacks, fetch, keep. cbn [lose kept in_slow begun goals_done val_of vl_bit]. rewrite Mr. simpl. lia. }
    assert (Own : holds (N.lor (in_slow n) (bit ranks u)) u = true) by (rewrite did_lor, (did_own u i Fu); apply orb_true_r).
    assert (Away : forall c, is_step g P u = true -> c <= (if costly g u then if is_value marks u && live (goals_done n) u then keep n x u else 0 else 0) ->
      follows_play (put_away (val_of u) n) (s + c) a x).
    { intros c Z Hc. constructor; cbn [put_away kept in_slow begun goals_done val_of vl_bit]; auto.
      - intros w I V0 Z0 L Q. destruct (N.eq_dec w u) as [-> | Ne]; [right; exact Own|].
        rewrite (other_gone _ u w Ne), (other_bit _ u w Ne). apply So; assumption.
      - assert (K : sum (lacks (put_away (val_of u) n) x) V + c <= sum (lacks n x) V); [|lia].
        apply (lacks_one _ _ x u); [exact Iu | reflexivity | |].
        + intros v Ne. rewrite (same_lacks n _ x v); [lia | reflexivity | apply other_gone, Ne | apply other_bit, Ne | reflexivity].
        + unfold lacks, fetch, keep in *. cbn [put_away kept in_slow begun goals_done val_of vl_bit]. rewrite Mr, Own, andb_false_r. simpl.
          destruct (is_value marks u && live (goals_done n) u); [|destruct (costly g u); lia].
          destruct (costly g u); [lia|]. rewrite !andb_false_r. simpl. lia. }
    destruct (is_step g P u) eqn:Z; cbn [andb].
    + destruct (costly g u) eqn:Co; cbn [negb].
      * destruct (live (goals_done n) u && mem u (blue x) && negb (holds (in_slow n) u)) eqn:Q.
        -- apply andb_prop in Q. destruct Q as (Q & Q3). apply andb_prop in Q. destruct Q as (Q1 & Q2). rewrite Q3.
           apply (IH (need - words g u) (put_away (val_of u) n) (s + words g u) _); [|exact Rk' | lia].
           apply Away; [reflexivity|]. unfold keep. rewrite Va, Q1, Z, Co, Q2, Q3. simpl. lia.
        -- eapply Up; [|apply (IH (need - words g u) (lose (val_of u) n) s l1); [apply Lost | exact Rk' | lia]].
           ++ destruct (negb (holds (in_slow n) u)); [apply depart_more | apply incl_refl].
           ++ intros _ L B. apply mem_In in B. rewrite L, B in Q. simpl in Q. apply negb_false_iff, Q.
      * apply (IH (need - words g u) (put_away (val_of u) n) s l1); [|exact Rk' | lia].
        replace s with (s + 0) by lia. apply Away; [reflexivity | lia].
    + apply (IH (need - words g u) (lose (val_of u) n) s l1); [apply Lost; discriminate | exact Rk' | lia].
Qed.

Lemma finish_better : forall rd n, better n (finish rd n).
Proof.
  intros rd n. constructor; cbn [finish kept in_slow begun goals_done]; auto.
  - apply all_in_lor.
  - intros u _ H. rewrite did_lor, H. reflexivity.
  - intros u _ H. rewrite did_lor, H. reflexivity.
Qed.
Lemma grows_better : forall vals steps n, better n (fold_left (grow vals) steps n).
Proof.
  intros vals. induction steps as [|rd steps IH]; intros n; cbn [fold_left]; [apply better_refl|].
  eapply better_trans; [|apply IH]. unfold grow. destruct (_ && _); [apply finish_better | apply better_refl].
Qed.
Variables (us vs : list N).
Hypothesis us_ranked : forall u, In u us <-> exists i, find ranks u = Some i.
Hypothesis us_apart : NoDup us.
Hypothesis all_steps : forall v, In v vs <-> In v V /\ is_step g P v = true.
Notation vals := (List.map val_of us).
Notation steps := (List.map redo_of vs).
Lemma prune_better : forall n, better n (prune vals n).
Proof.
  intros n. set (mask := fold_left (fun m c => if all_in (vl_reach c) (goals_done n) then m else N.lor m (vl_bit c)) vals 0%N).
  assert (Mask : forall u i, find ranks u = Some i -> live (goals_done n) u = true -> holds mask u = true).
  { intros u i F L. assert (I : In u us) by (apply us_ranked; eauto).
    assert (G : forall l m, (holds m u = true \/ In u l) -> holds (fold_left (fun m c => if all_in (vl_reach c) (goals_done n) then m else N.lor m (vl_bit c)) (List.map val_of l) m) u = true).
    { induction l as [|w l IH]; intros m H; cbn [List.map fold_left]; [destruct H as [H | []]; exact H|]. apply IH.
      cbn [val_of vl_reach vl_bit]. destruct H as [H | [<- | H]]; [left | left | right; exact H].
      - destruct (all_in _ _); [exact H | rewrite did_lor, H; reflexivity].
      - unfold live in L. apply negb_true_iff in L. rewrite L, did_lor, (did_own w i F). apply orb_true_r. }
    apply G. auto. }
  assert (Land : forall A u, live (goals_done n) u = true -> holds A u = true -> holds (N.land A mask) u = true).
  { intros A u L H. rewrite did_land, H. simpl. apply did_spec in H. destruct H as (i & F & _). eapply Mask; eauto. }
  constructor; cbn [prune kept in_slow begun goals_done]; [apply all_in_refl | intros; apply Land; assumption | intros; apply Land; assumption|].
  intros u H. rewrite did_land in H. apply andb_prop in H. apply H.
Qed.
Lemma better_form_better : forall n, better n (better_form vals steps n).
Proof.
  intros n. unfold better_form. repeat (eapply better_trans; [|apply prune_better]; eapply better_trans; [|apply grows_better]). apply prune_better.
Qed.
Lemma no_worse_better : forall m n, no_worse m n = true -> better (fst n) (fst m) /\ snd m <= snd n.
Proof.
  intros m n H. unfold no_worse in H. repeat (apply andb_prop in H; destruct H as (H & ?)). apply Z.leb_le in H. split; [|exact H].
  constructor; auto; intros; eapply all_in_did; eauto.
Qed.
Lemma others_are : forall rd n, others_of vals rd n
  = List.map val_of (filter (fun u => all_in (bit ranks u) (kept n) && negb (all_in (bit ranks u) (rd_mask rd))) us).
Proof.
  intros rd n. unfold others_of. generalize us as k. induction k as [|u l IH]; [reflexivity|]. cbn [List.map filter val_of vl_bit].
  change (vl_bit (val_of u)) with (bit ranks u). rewrite IH.
  destruct (all_in (bit ranks u) (kept n) && negb (all_in (bit ranks u) (rd_mask rd))); reflexivity.
Qed.
Lemma walks_same : forall a s x y, walks r g M s a x -> walks r g M s a y -> x = y.
Proof.
  induction a as [|m a IH]; intros s x y A B; inversion A; inversion B; subst; [reflexivity|].
  match goal with Q1 : step _ _ _ m ?n1 s = Some ?x1, Q2 : step _ _ _ m ?n2 s = Some ?x2 |- _ => assert (E : x1 = x2) end.
  { destruct m; simpl in *;
      repeat match goal with Q : (if ?c then _ else _) = Some _ |- _ => destruct c; [|discriminate] end;
      repeat match goal with Q : Some _ = Some _ |- _ => injection Q as <- end; reflexivity. }
  subst. eapply IH; eauto.
Qed.

(* A state follows a computation. *)
Lemma computes_follow : forall a v b x n s, p = a ++ Compute v :: b -> follows_play n s a x -> In v V -> is_step g P v = true ->
  (if is_value marks v then live (goals_done n) v && negb (holds (kept n) v) else negb (did goals (goals_done n) v)) = true ->
  (exists m s', In (m, s') (outcomes vals (redo_of v) n s) /\ follows_play m s' a x) \/ limit <= paid a.
Proof.
  intros a v b x n s Ep F I Z Due. pose proof played as R. rewrite Ep in R.
  destruct (moment r g M S some_memory a b v t R) as (x' & A & (Dx & Bx) & U & O & Lv & Zv & _).
  assert (Q : x' = x) by (eapply walks_same; [exact A | apply F]). subst x'.
  assert (Rel : live (goals_done n) v = true).
  { destruct (is_value marks v) eqn:Va; [apply andb_prop in Due; apply Due|]. destruct (goal_ranked v I Z Va) as (i & Fg & T).
    unfold live. apply negb_true_iff, not_true_iff_false. intros Al. rewrite all_in_spec in Al. specialize (Al i T).
    assert (D : did goals (goals_done n) v = true) by (apply did_spec; eauto). rewrite D in Due. discriminate. }
  unfold outcomes.
  assert (Is : is_due (redo_of v) n = true).
  { unfold is_due. cbn [redo_of rd_reach rd_bit]. unfold live in Rel. rewrite Rel. simpl. destruct (is_value marks v) eqn:Va.
    - destruct (all_ranked v I Va (or_introl Z)) as (i & Fv). rewrite (all_in_bit _ _ v i Fv). apply andb_prop in Due.
      destruct Due as (_ & Due). rewrite Due. apply orb_true_r.
    - unfold bit. destruct (find ranks v) as [i |] eqn:Fv; [|reflexivity]. destruct (ranked v i Fv) as (_ & K & _). congruence. }
  rewrite Is. cbn [redo_of rd_operands].
  destruct (bring_follows a x (filter is_ranked (inner g P v)) n s F) as (m & s' & E & F2 & G2).
  - intros u J. apply filter_In in J. destruct J as (_ & J). unfold is_ranked in J. destruct (find ranks u); [eauto | discriminate].
  - intros u J. apply filter_In in J. destruct J as (J & _). split; [apply O; eapply inner_operand; eauto|].
    unfold live in *. apply negb_true_iff, not_true_iff_false. intros Al. apply negb_true_iff, not_true_iff_false in Rel. apply Rel.
    pose proof (reach_up v u I Z J) as Up. rewrite all_in_spec in *. auto.
  - rewrite E, others_are. set (os := filter _ us). cbn [redo_of rd_room].
    assert (Os : forall u, In u os -> In u us /\ ~ In u (operands g v)).
    { intros u J. apply filter_In in J. destruct J as (J & Q). split; [exact J|]. intros K. apply andb_prop in Q. destruct Q as (_ & Q).
      apply negb_true_iff, not_true_iff_false in Q. apply Q. apply us_ranked in J. destruct J as (i & Fu). rewrite (all_in_bit _ _ u i Fu).
      cbn [redo_of rd_mask]. apply did_spec. exists i. split; [exact Fu|]. apply bits_of_spec. exists u. split; [|exact Fu].
      eapply inner_spec; eauto. split; [exact K | apply (ranked u i Fu)]. }
    destruct (depart_follows a x os (total vl_words (List.map val_of os) - (M - taken r g v - sum (words g) (operands g v))) m s' [] F2) as [(m2 & s2 & I2 & F3 & _) | L].
    + intros u J. apply us_ranked, Os, J.
    + rewrite total_sum, sum_map. cbn [val_of vl_words].
      assert (Fit : sum (words g) (filter (fun u => mem u (red x)) os) + sum (words g) (operands g v) <= used g x).
      { rewrite <- sum_app. apply sum_incl.
        - intros u J. pose proof (positive g S u (Bx u J)). lia.
        - assert (F1 : NoDup (filter (fun u => mem u (red x)) os)) by (apply NoDup_filter, NoDup_filter, us_apart).
          assert (F4 : forall u, In u (filter (fun u => mem u (red x)) os) -> ~ In u (operands g v)).
          { intros u J. apply filter_In in J. apply Os, J. }
          pose proof (distinct g S v Lv) as F5. clear -F1 F4 F5.
          induction (filter (fun u => mem u (red x)) os) as [|u k IH]; simpl; [exact F5|].
          inversion F1; subst. constructor.
          + intros J. apply in_app_or in J. destruct J as [J | J]; [tauto|]. apply (F4 u); [left; reflexivity | exact J].
          + apply IH; auto. intros w J. apply F4. right; exact J.
        - intros u J. apply in_app_or in J. destruct J as [J | J]; [|apply O, J]. apply filter_In in J. apply mem_In, J. }
      rewrite sum_filter in Fit.
      assert (Eq : sum (fun u => words g u) os = sum (fun u => if mem u (red x) then words g u else 0) os + sum (fun u => if mem u (red x) then 0 else words g u) os).
      { rewrite <- sum_plus. apply sum_ext. intros u _. destruct (mem u (red x)); lia. }
      cbn beta in *. change (sum (fun x0 : N => words g x0) os) with (sum (fun u => words g u) os) in *. lia.
    + left. exists m2, s2. split; [exact I2 | exact F3].
    + right. exact L.
Qed.

Lemma known_at : forall b n, known b n = true -> exists m, In m (at_key b n) /\ better (fst n) (fst m) /\ snd m <= snd n.
Proof.
  intros b n H. unfold known in H. apply existsb_exists in H. destruct H as (m & I & Q). exists m.
  split; [exact I | apply no_worse_better, Q].
Qed.
Lemma closed_entry : forall full b m q, closed vals steps full b = true -> In m (at_key b q) -> closed_at vals steps full b m = true.
Proof.
  intros full b m q H I. unfold at_key in I. destruct (find b (kept (fst q))) as [l |] eqn:F; [|destruct I].
  unfold closed in H. rewrite forallb_forall in H. unfold find in F. apply PositiveMap.elements_correct in F.
  specialize (H _ F). cbn [snd] in H. rewrite forallb_forall in H. apply H, I.
Qed.
Definition kept_up (b : best) (a : list move) (x : state) : Prop :=
  limit <= paid a \/ exists m q, In m (at_key b q) /\ follows_play (fst m) (snd m) a x.
Lemma paid_more : forall a b, paid a <= paid (a ++ b).
Proof. intros a b. apply sum_le. intros u I. eapply exceeds_app; eauto. Qed.
Lemma all_along : forall full b, closed vals steps full b = true -> known b (better_form vals steps nothing, 0) = true ->
  forall a c, p = a ++ c -> exists x, walks r g M (start g) a x /\ run r g M c x = Some t /\ kept_up b a x.
Proof.
  intros full b Cl St. induction a as [|m a IH] using rev_ind; intros c Ep.
  - exists (start g). split; [constructor|]. split; [simpl in Ep; rewrite <- Ep; exact played|]. right.
    destruct (known_at _ _ St) as (k & I & B & Le). exists k, (better_form vals steps nothing, 0). split; [exact I|].
    apply (follows_better _ _ 0 (snd k) [] (start g) B Le). apply (follows_better _ _ 0 0 [] (start g) (better_form_better nothing) ltac:(lia)).
    constructor.
    + constructor.
    + intros v _ _ _ [].
    + intros u H. exfalso. apply did_spec in H. destruct H as (i & _ & T). cbn [nothing begun] in T. rewrite N.bits_0 in T. discriminate.
    + intros u I0 Va Z _ [[] | H]. apply start_blue in H. destruct H as (_ & H). assert (Zi : is_input g u = false) by (eapply step_no_input; eauto). congruence.
    + rewrite (sum_zero _ (lacks nothing (start g))).
      * apply sum_nonneg. intros u I0. eapply exceeds_nonneg; eauto.
      * intros u _. unfold lacks. destruct (_ && _); [|reflexivity]. unfold fetch, keep. change (mem u (red (start g))) with false. cbn [andb].
        destruct (is_step g P u) eqn:Z; [|reflexivity]. assert (Zi : is_input g u = false) by (eapply step_no_input; eauto).
        assert (Nb : mem u (blue (start g)) = false).
        { apply mem_not_In. intros H. apply start_blue in H. destruct H. congruence. }
        rewrite Nb, andb_false_r. reflexivity.
  - rewrite <- app_assoc in Ep. destruct (IH _ Ep) as (x & W & R & K). simpl app in R. simpl run in R.
    destruct (step r g M m (hd_error c) x) as [y |] eqn:Sx; [|discriminate]. exists y.
    assert (Wy : walks r g M (start g) (a ++ [m]) y) by (apply walks_app; exists x; split; [exact W | econstructor; [exact Sx | constructor]]).
    split; [exact Wy|]. split; [exact R|]. destruct K as [K | ((n & s) & q & I & F)]; [left; pose proof (paid_more a [m]); lia|]. cbn [fst snd] in F.
    assert (Dec : (exists v, m = Compute v /\ In v V /\ is_step g P v = true /\
        (if is_value marks v then live (goals_done n) v && negb (holds (kept n) v) else negb (did goals (goals_done n) v)) = true)
      \/ (forall v, m = Compute v -> In v V -> is_step g P v = true ->
        (is_value marks v = true -> live (goals_done n) v = true -> holds (kept n) v = true)
        /\ (is_value marks v = false -> did goals (goals_done n) v = true))).
    { destruct m as [v | v | v | v]; try (right; intros; discriminate).
      destruct (in_dec N.eq_dec v V) as [Iv | Iv]; [|right; intros u E; injection E as <-; tauto].
      destruct (is_step g P v) eqn:Z; [|right; intros u E; injection E as <-; congruence].
      destruct (if is_value marks v then live (goals_done n) v && negb (holds (kept n) v) else negb (did goals (goals_done n) v)) eqn:Q;
        [left; exists v; auto|]. right. intros u E _ _. injection E as <-. split; intros Va; rewrite Va in Q.
      - intros L. rewrite L in Q. simpl in Q. apply negb_false_iff, Q.
      - apply negb_false_iff, Q. }
    destruct Dec as [(v & -> & Iv & Z & Due) | Other].
    + destruct (computes_follow a v c x n s Ep F Iv Z Due) as [(m2 & s2 & I2 & F2) | L]; [|left; pose proof (paid_more a [Compute v]); lia].
      pose proof (closed_entry _ _ _ _ Cl I) as Ce. unfold closed_at in Ce. apply andb_prop in Ce. destruct Ce as (_ & Ce).
      rewrite forallb_forall in Ce.
      assert (Fo : In (better_form vals steps (finish (redo_of v) m2), s2) (follows vals steps (n, s))).
      { unfold follows. apply spread_In. exists (redo_of v). split; [apply in_map, all_steps; auto|]. cbn [fst snd].
        apply in_map_iff. exists (m2, s2). auto. }
      destruct (known_at _ _ (Ce _ Fo)) as (k & Ik & Bk & Le). cbn [fst snd] in Bk, Le. right. exists k. eexists. split; [exact Ik|].
      assert (B1 : better (finish (redo_of v) m2) (fst k)) by (eapply better_trans; [apply better_form_better | exact Bk]).
      assert (Fk : follows_play (fst k) (snd k) a x)
        by (apply (follows_better m2 _ s2 _ a x); [eapply better_trans; [apply finish_better | exact B1] | exact Le | exact F2]).
      apply (follows_on _ _ a (Compute v) (hd_error c) x y Fk Sx). intros w E _ _. injection E as <-. split; intros Va.
      * intros L. apply (more_kept _ _ B1 v L). destruct (all_ranked v Iv Va (or_introl Z)) as (i & Fv).
        cbn [finish kept redo_of rd_bit]. rewrite did_lor, (did_own v i Fv). apply orb_true_r.
      * destruct (goal_ranked v Iv Z Va) as (i & Fg & _). eapply all_in_did; [apply (more_goals _ _ B1)|].
        cbn [finish goals_done redo_of rd_goal]. rewrite did_lor. apply orb_true_iff. right. apply did_spec. exists i. split; [exact Fg | apply bit_spec, Fg].
    + right. exists (n, s), q. split; [exact I|]. apply (follows_on n s a m (hd_error c) x y F Sx Other).
Qed.
Hypothesis goal_steps : forall v i, find goals v = Some i -> In v V /\ is_step g P v = true /\ is_value marks v = false.
Lemma repeats_found : forall gl b,
  closed vals steps (bits_of goals gl) b = true -> known b (better_form vals steps nothing, 0) = true -> limit <= paid p.
Proof.
  intros gl b Cl St. destruct (all_along _ b Cl St p [] ltac:(rewrite app_nil_r; reflexivity)) as (x & W & R & K).
  destruct K as [K | (m & q & I & F)]; [exact K|]. exfalso. pose proof (closed_entry _ _ _ _ Cl I) as Ce. unfold closed_at in Ce.
  apply andb_prop in Ce. destruct Ce as (Ce & _). apply negb_true_iff, not_true_iff_false in Ce. apply Ce. apply all_in_spec. intros i T.
  apply bits_of_spec in T. destruct T as (v & _ & Fg). destruct (goal_steps v i Fg) as (Iv & Z & Va).
  assert (C : In (Compute v) p).
  { apply (all_computed r g M S p t (run_walks _ _ _ _ _ _ played) ended v (members_below g P proper_P v Iv)). eapply step_no_input; eauto. }
  pose proof (goals_made _ _ _ _ F v Iv Z Va C) as D. apply did_spec in D. destruct D as (j & Fj & T). congruence.
Qed.
End Again.

(* The goals that each value of a piece is needed for, as bits. *)
Definition reach_of (g : dag) (P : piece) (goals : map N) : map N :=
  fold_left (fun m v => let s := N.lor (bits m v) (bit goals v) in
    fold_left (fun m u => put m u (N.lor (bits m u) s)) (inner g P v) (put m v s)) (downward P) (empty N).
Definition most_rounds : nat := N.to_nat 65536.
Definition most_repeats : Z := 65536.  (* states that are followed *)
Section Parts.
Variables (r : rules) (g : dag) (M : Z) (whole : piece) (readers : map (list N)).
Definition repeat_piece (P : piece) (claim : Z) : outcome :=
  let vs := filter (is_step g P) (members P) in
  let marks := marks_of g P (ranks_of vs) vs in
  let us := filter (fun u => is_value marks u && (is_step g P u || is_input g u)) (members P) in
  let ranks := ranks_of us in
  let gl := filter (fun v => negb (is_value marks v)) vs in
  let goals := ranks_of gl in
  let reach := reach_of g P goals in
  let infos := List.map (redo_of r g M P ranks goals reach) vs in
  let vals := List.map (val_of g P ranks reach) us in
  let plain := total (fun v => total (words g) (inner g P v)) vs + total (words g) (members P) in
  let sane := forallb (fun v => forallb (fun u => all_in (bits reach v) (bits reach u)) (inner g P v)
                && (is_value marks v || all_in (bit goals v) (bits reach v))) vs in
  if (length vs <=? most_bits)%nat && (length us <=? most_bits)%nat && forallb (fun rd => 0 <=? rd_room rd) infos
     && (claim <=? plain) && sane
  then if claim <=? 0 then Shown
       else let full := bits_of goals gl in
            let begin := (better_form vals infos nothing, 0) in
            let bf := meet (empty (list (again * Z)), []) begin in
            match explore claim most_rounds vals infos full most_repeats (fst bf) (snd bf) with
            | None => Large
            | Some b => if known b begin && closed claim vals infos full b then Shown else Cheaper
            end
  else Cheaper.
Definition enter_repeats : search_part -> outcome * (Z * list (row * Z)) := searched_by g whole readers repeat_piece.
Hypothesis S : sound g.
Hypothesis some_memory : 0 <= M.
Hypothesis proper_whole : proper g whole.
Variables (p : list move) (t : state).
Hypothesis played : run r g M p (start g) = Some t.
Hypothesis ended : finished g t = true.
(* THEOREM E3: what the search shows of a piece, its charges pay for, whatever is computed again. *)
Theorem repeats_sound : forall pt shown charges, enter_repeats pt = (Shown, (shown, charges)) ->
  2 * shown <= sum (charge_of charges) (events g (chosen readers) p)
  /\ (forall ra, In ra charges -> (fst (fst ra) < size g)%N /\ 0 <= snd ra).
Proof.
  apply (claim_charged r g M whole readers S proper_whole p t played). intros P claim Pr Sh. unfold excess_in.
  unfold repeat_piece in Sh.
  set (vs := filter (is_step g P) (members P)) in *. set (marks := marks_of g P (ranks_of vs) vs) in *.
  set (us := filter (fun u => is_value marks u && (is_step g P u || is_input g u)) (members P)) in *.
  set (gl := filter (fun v => negb (is_value marks v)) vs) in *. set (reach := reach_of g P (ranks_of gl)) in *.
  match type of Sh with (if ?c then _ else _) = _ => destruct c eqn:C; [|discriminate] end.
  apply andb_prop in C. destruct C as (_ & Sane). rewrite forallb_forall in Sane.
  assert (Ne : 0 <= excess g P marks (chosen readers) p) by (apply sum_nonneg; intros u I; eapply exceeds_nonneg; eauto).
  destruct (Z.leb_spec claim 0); [lia|].
  match type of Sh with match ?e with _ => _ end = _ => destruct e as [b |]; [|discriminate] end.
  match type of Sh with (if ?c then _ else _) = _ => destruct c eqn:C; [|discriminate] end.
  apply andb_prop in C. destruct C as (Kn & Cl).
  assert (Vs : forall v, In v vs <-> In v (members P) /\ is_step g P v = true) by (intros v; apply filter_In).
  assert (Dv : NoDup vs) by (apply NoDup_filter, (members_distinct g P Pr)).
  assert (Du : NoDup us) by (apply NoDup_filter, (members_distinct g P Pr)).
  assert (Dg : NoDup gl) by (apply NoDup_filter, Dv).
  destruct (ranks_of_spec us Du) as (R1 & R2 & R3).
  destruct (ranks_of_spec gl Dg) as (G1 & G2 & G3).
  assert (Us : forall u, In u us <-> In u (members P) /\ is_value marks u = true /\ (is_step g P u = true \/ is_input g u = true)).
  { intros u. unfold us. rewrite filter_In, andb_true_iff, orb_true_iff. tauto. }
  assert (Gl : forall v, In v gl <-> In v vs /\ is_value marks v = false).
  { intros v. unfold gl. rewrite filter_In, negb_true_iff. tauto. }
  refine (repeats_found r g M P marks (ranks_of us) (ranks_of gl) reach claim Pr S some_memory _ _ R3 _ _ (chosen readers) p t played ended
    us vs _ Du _ _ gl b Cl Kn).
  - intros u i F. apply Us. eapply R2, F.
  - intros u I Va K. apply R1, Us. auto.
  - intros v u I Z J. specialize (Sane v (proj2 (Vs v) (conj I Z))). apply andb_prop in Sane. destruct Sane as (Q & _).
    rewrite forallb_forall in Q. apply Q, J.
  - intros v I Z Va. destruct (G1 v (proj2 (Gl v) (conj (proj2 (Vs v) (conj I Z)) Va))) as (i & F). exists i. split; [exact F|].
    specialize (Sane v (proj2 (Vs v) (conj I Z))). apply andb_prop in Sane. destruct Sane as (_ & Q). rewrite Va in Q. simpl in Q.
    rewrite all_in_spec in Q. apply Q, bit_spec, F.
  - intros u. split; [apply R1 | intros (i & F); eapply R2, F].
  - exact Vs.
  - intros v i F. apply G2, Gl in F. destruct F as (F & Va). apply Vs in F. tauto.
Qed.
End Parts.
