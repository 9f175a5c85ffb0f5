-- What goes with a row by foreign key is found by index: else each session that ends would read all attempts to sign on.

CREATE INDEX "sessions_partner_team_id_idx" ON "sessions"("partner_team_id");

CREATE INDEX "sign_on_attempts_session_id_idx" ON "sign_on_attempts"("session_id");

CREATE INDEX "sign_on_attempts_connection_id_idx" ON "sign_on_attempts"("connection_id");

CREATE INDEX "partner_teams_requested_by_idx" ON "partner_teams"("requested_by");
