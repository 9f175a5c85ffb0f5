// Written by `npx pnpm generate` from the contracts.

import type { CallOptions } from '../client-options.js'

/** Every call. Parameters of the path, the query and the body are one object. */
export interface Calls {
  /**
   * Show who the caller is
   *
   * `GET /auth/me`
   */
  whoAmI(input: { [name: string]: unknown }, options?: CallOptions): Promise<{ allowed_addresses?: string[] | undefined; credential_id: string; description: string; expires_at: null | string; kind: "organization_token"; legacy?: undefined | { deprecated_at: string }; organization_id: string; permissions: Permission[]; project_binding?: undefined | { permissions: Permission[]; project_ids: string[] }; workload?: undefined | { claims: { [name: string]: string }; issuer: string; subject: string; trust_id: string } } | { credential_id: string; deleted_grants?: undefined | { device_logins?: "off" | "on" | "same-network" | undefined; organization_id: string; projects: { project_id: string; role: "manager" | "member" | "reader" }[]; role: "admin" | "member"; second_factor_kind?: "any" | "phishing-resistant" | undefined; second_factor_required?: boolean | undefined; sso_required: boolean }[]; device_login?: null | undefined | { same_network: boolean }; email: string; expires_at?: string | undefined; grants: { device_logins?: "off" | "on" | "same-network" | undefined; organization_id: string; projects: { project_id: string; role: "manager" | "member" | "reader" }[]; role: "admin" | "member"; second_factor_kind?: "any" | "phishing-resistant" | undefined; second_factor_required?: boolean | undefined; sso_required: boolean }[]; key_second_factor?: boolean | undefined; kind: "user"; methods?: ("otp" | "passkey" | "pwd" | "recovery" | "sso")[] | undefined; proof: "api_key" | "password" | "session"; second_factor?: boolean | undefined; sso?: undefined | { connection_id: string; organization_id: null | string }; user_id: string } | { credential_id: string; device_identity_required?: undefined; expires_at?: string | undefined; kind: "project_key"; organization_id: string; permissions: Permission[]; project_id: string } | { credential_id: string; device_serial: string; expires_at?: string | undefined; kind: "device"; organization_id: string; permissions: Permission[]; project_id: string; proof: "certificate" | "token" } | { kind: "service"; name: string }>
  /**
   * Delete your own account
   *
   * The API key and the password stop at every gateway within a second, and every membership ends. Organization auth tokens that you created are those of their organizations, and stay. It cannot be undone. It takes the account password: as the credential, as `password`, or by signing in with a browser at most ten minutes before. A user with a second factor sends `totp_code`, `recovery_code` or `passkey` with `password`. The last admin of an organization cannot be deleted.
   *
   * `POST /auth/me/delete`
   */
  deleteOwnAccount(input: { passkey?: undefined | { authenticator_data: string; client_data: string; credential_id: string; signature: string }; password?: string | undefined; recovery_code?: string | undefined; totp_code?: string | undefined }, options?: CallOptions): Promise<{ email: string; user_id: string }>
  /**
   * Show the caller's API key, without its secret
   *
   * `GET /auth/api_key`
   */
  showUserKey(input: { [name: string]: unknown }, options?: CallOptions): Promise<{ api_key: null; created_at: string; expires_at: null | string; id: string; second_factor: boolean }>
  /**
   * Create the caller's API key, replacing the one before
   *
   * The response contains the secret (`api_key`), which is never shown again. The key before stops working immediately, and the user is notified by mail. If the user has a second factor, the request must prove it: send it in a session that was started with the factor in the last ten minutes, or send `password` with `totp_code`, `recovery_code` or `passkey`. Otherwise the response is 403 `recent_sign_in_required`. Only a key created this way satisfies an organization that requires a second factor.
   *
   * `POST /auth/api_key`
   */
  cycleUserKey(input: { expires_at?: null | string | undefined; idempotency_key?: null | string | undefined; passkey?: undefined | { authenticator_data: string; client_data: string; credential_id: string; signature: string }; password?: string | undefined; recovery_code?: string | undefined; totp_code?: string | undefined }, options?: CallOptions): Promise<{ api_key: string; created_at: string; expires_at: null | string; id: string; second_factor: boolean }>
  /**
   * Delete the caller's API key
   *
   * `DELETE /auth/api_key`
   */
  deleteUserKey(input: { [name: string]: unknown }, options?: CallOptions): Promise<{ created_at: string; expires_at: null | string; id: string; second_factor: boolean }>
  /**
   * Change the calling user's password
   *
   * It takes the current password, whatever the caller has authenticated with. All of the user’s sessions end, and the old password stops at every gateway; the API key keeps working.
   *
   * `POST /auth/password/change`
   */
  changePassword(input: { current_password: string; new_password: string }, options?: CallOptions): Promise<{ [name: string]: never }>
  /**
   * Ask for a mail with a link to set a new password
   *
   * No credential is needed. The answer is the same for every address. Where there is an account that may have a password, a link is mailed to it, at most one every few minutes; it works once, for an hour.
   *
   * `POST /auth/password/reset-request`
   */
  requestPasswordReset(input: { email: string }, options?: CallOptions): Promise<{ [name: string]: never }>
  /**
   * Set a new password with the link from the mail
   *
   * No credential is needed. All of the user’s sessions end, and the old password stops at every gateway; the API key keeps working. Sign in afterwards as usual.
   *
   * `POST /auth/password/reset`
   */
  resetPassword(input: { password: string; secret: string }, options?: CallOptions): Promise<{ [name: string]: never }>
  /**
   * Request another email address for your account
   *
   * A link is mailed to the new address and one to the present address. The address changes when both are confirmed; each works once, for 24 hours. The response is the same whether or not the new address has an account: then no link is mailed to it. A newer request replaces the one before. An address that a provider pushes by SCIM is changed there.
   *
   * `POST /auth/email/change`
   */
  requestEmailChange(input: { email: string }, options?: CallOptions): Promise<{ [name: string]: never }>
  /**
   * Confirm another email address with the link from the mail
   *
   * No credential is needed. With the second of the two links the address changes: the old one, as name of a Basic credential too, is refused at every gateway within a second, and all sessions end. Password, API key, second factor and memberships stay.
   *
   * `POST /auth/email/confirm`
   */
  confirmEmailChange(input: { secret: string }, options?: CallOptions): Promise<{ changed: boolean }>
  /**
   * Show what an invitation is for
   *
   * For anyone who has the link. No credential is needed. Showing the invitation does not use it up.
   *
   * `POST /auth/invitations/show`
   */
  showInvitation(input: { secret: string }, options?: CallOptions): Promise<{ email: string; expires_at: string; has_account: boolean; invited_by: string; organization_id: string; role: "admin" | "member" }>
  /**
   * Accept an invitation
   *
   * For anyone who has the link. No credential is needed. If the email address has no account yet, one is created with `password`. An existing account joins as it is, and `password` has to be left out: an invitation never changes a password. Sign in afterwards as usual.
   *
   * `POST /auth/invitations/accept`
   */
  acceptInvitation(input: { password?: string | undefined; secret: string }, options?: CallOptions): Promise<{ account_created: boolean; email: string; organization_id: string; user_id: string }>
  /**
   * List the ways in which an email address can sign in
   *
   * For the sign-in page; no credential is needed. `connections` are those of the organizations that have verified the domain of the address, at most 10 by name; `partners` are the consoles of partners that this installation is connected with. The reply depends on the domain only, so it does not reveal whether there is an account.
   *
   * `POST /auth/sign_in_options`
   */
  listSignInOptions(input: { email?: string | undefined }, options?: CallOptions): Promise<{ connections: { name: string; sign_in_path: string }[]; partners: { name: string; sign_in_path: string }[]; password: boolean }>
  /**
   * Sign in with a browser
   *
   * The reply sets the cookie `__Host-bearing_session`. Send its `csrf_token` in the header `X-CSRF-Token` with every request that changes something. Send `email` and `password`; a user with a second factor adds `totp_code`, `recovery_code` or `passkey`, and without one the answer is 401 `second_factor_needed`. Or send `passkey` alone.
   *
   * `POST /auth/session`
   */
  startSession(input: { email?: string | undefined; passkey?: undefined | { authenticator_data: string; client_data: string; credential_id: string; signature: string }; password?: string | undefined; recovery_code?: string | undefined; replaces?: string | undefined; totp_code?: string | undefined; user_agent?: null | string | undefined }, options?: CallOptions): Promise<{ csrf_token?: string | undefined; email: string; session: { address: null | string; created_at: string; current: boolean; expires_at: string; host: null | string; id: string; last_seen_at: string; methods: ("otp" | "passkey" | "pwd" | "recovery" | "sso")[]; user_agent: null | string }; session_token?: string | undefined; user_id: string }>
  /**
   * Show the session that asks
   *
   * Has the `csrf_token` to send in the header `X-CSRF-Token`.
   *
   * `GET /auth/session`
   */
  showSession(input: { [name: string]: unknown }, options?: CallOptions): Promise<{ address: null | string; created_at: string; csrf_token?: string | undefined; current: boolean; expires_at: string; host: null | string; id: string; last_seen_at: string; methods: ("otp" | "passkey" | "pwd" | "recovery" | "sso")[]; user_agent: null | string }>
  /**
   * Sign out: end the session that asks
   *
   * It ends at every gateway within a second, and the cookie is removed.
   *
   * `DELETE /auth/session`
   */
  signOut(input: { [name: string]: unknown }, options?: CallOptions): Promise<{ [name: string]: never }>
  /**
   * Confirm the session that asks with the account password or a passkey
   *
   * Some requests create or change what outlives a session: credentials, the access of people, rules of signing in. In a session they need a sign-in or a confirmation of the last 10 minutes, and in one of a command line always a confirmation; otherwise the response is 403 `recent_sign_in_required`. Send `password`, with a second factor `totp_code` or `recovery_code` too; or `passkey` alone. A session of single sign-on cannot be confirmed: sign in through the provider again.
   *
   * `POST /auth/session/confirm`
   */
  confirmSession(input: { passkey?: undefined | { authenticator_data: string; client_data: string; credential_id: string; signature: string }; password?: string | undefined; recovery_code?: string | undefined; totp_code?: string | undefined }, options?: CallOptions): Promise<{ [name: string]: never }>
  /**
   * List the caller's sessions
   *
   * The browsers and command lines in which the user is signed in, the newest first.
   *
   * `GET /auth/sessions`
   */
  listSessions(input: { page?: number | undefined; per_page?: number | undefined }, options?: CallOptions): Promise<{ data: { address: null | string; created_at: string; current: boolean; expires_at: string; host: null | string; id: string; last_seen_at: string; methods: ("otp" | "passkey" | "pwd" | "recovery" | "sso")[]; user_agent: null | string }[]; paging: { item_count: number; page: number; page_count: number; per_page: number; total_count: number } }>
  /**
   * End one of the caller's sessions
   *
   * `DELETE /auth/sessions/:session_id`
   */
  endSession(input: { session_id: string }, options?: CallOptions): Promise<{ [name: string]: never }>
  /**
   * End all of the caller's sessions but the one that asks
   *
   * With a user API key, all of them.
   *
   * `DELETE /auth/sessions`
   */
  endOtherSessions(input: { [name: string]: unknown }, options?: CallOptions): Promise<{ ended_count: number }>
  /**
   * Start to sign in a command line
   *
   * The device authorization request of RFC 8628, with JSON bodies. Show `verification_uri` and `user_code` to the user, and call `POST /auth/login/token` every `interval` seconds. No credential is needed.
   *
   * `POST /auth/login`
   */
  requestLogin(input: { host: string }, options?: CallOptions): Promise<{ device_code: string; expires_in: number; interval: number; user_code: string; verification_uri?: string | undefined; verification_uri_complete?: string | undefined }>
  /**
   * Receive the session of a login
   *
   * The device access token request of RFC 8628, with JSON bodies. Its error codes are those of the RFC: `authorization_pending` and `slow_down` (wait `retry_after` seconds, then call again), `access_denied`, `expired_token`. The session is started once; send its token as `Authorization: Bearer`. It reaches what the browser session reaches that allowed it, and ends no later.
   *
   * `POST /auth/login/token`
   */
  exchangeLogin(input: { device_code: string; user_agent?: null | string | undefined }, options?: CallOptions): Promise<{ access_token: string; email: string; session: { address: null | string; created_at: string; current: boolean; expires_at: string; host: null | string; id: string; last_seen_at: string; methods: ("otp" | "passkey" | "pwd" | "recovery" | "sso")[]; user_agent: null | string }; token_type: "Bearer"; user_id: string }>
  /**
   * Show which command line asks to be signed in
   *
   * For users in a browser session, before they decide.
   *
   * `POST /auth/login/show`
   */
  showLogin(input: { user_code: string }, options?: CallOptions): Promise<{ address: null | string; expires_at: string; host: string; own_address: null | string; requested_at: string; same_network: boolean; session_ends_at: string; user_code: string }>
  /**
   * Sign in a command line as yourself
   *
   * For users in a browser session. The command line receives a session of its own, which is listed with the others and can be ended there.
   *
   * `POST /auth/login/allow`
   */
  allowLogin(input: { user_code: string }, options?: CallOptions): Promise<{ [name: string]: never }>
  /**
   * Refuse to sign in a command line
   *
   * For users in a browser session. The command line stops waiting.
   *
   * `POST /auth/login/deny`
   */
  denyLogin(input: { user_code: string }, options?: CallOptions): Promise<{ [name: string]: never }>
  /**
   * Show whether the caller's second factor is set up
   *
   * `GET /auth/totp`
   */
  showTotp(input: { [name: string]: unknown }, options?: CallOptions): Promise<{ confirmed_at: null | string; recovery_codes_left: number }>
  /**
   * Begin to set up an authenticator as the second factor
   *
   * Takes the account password, so that nobody can do it with a stolen key or in an unattended browser. Show `uri` as a QR code, then confirm with a code; until then nothing changes.
   *
   * `POST /auth/totp`
   */
  enrollTotp(input: { idempotency_key?: null | string | undefined; password: string }, options?: CallOptions): Promise<{ secret: string; uri: string }>
  /**
   * Turn the second factor on, with a code of the authenticator
   *
   * From now on the account password alone is refused everywhere; the user API key keeps working. All other sessions end. The recovery codes are in this reply and never shown again.
   *
   * `POST /auth/totp/confirm`
   */
  confirmTotp(input: { idempotency_key?: null | string | undefined; totp_code: string }, options?: CallOptions): Promise<{ recovery_codes: string[] }>
  /**
   * Remove the authenticator
   *
   * Takes `totp_code`, `recovery_code` or `passkey`.
   *
   * `POST /auth/totp/remove`
   */
  removeTotp(input: { passkey?: undefined | { authenticator_data: string; client_data: string; credential_id: string; signature: string }; recovery_code?: string | undefined; totp_code?: string | undefined }, options?: CallOptions): Promise<{ [name: string]: never }>
  /**
   * Get new recovery codes, in place of those before
   *
   * Takes `totp_code`, `recovery_code` or `passkey`.
   *
   * `POST /auth/totp/recovery_codes`
   */
  renewRecoveryCodes(input: { idempotency_key?: null | string | undefined; passkey?: undefined | { authenticator_data: string; client_data: string; credential_id: string; signature: string }; recovery_code?: string | undefined; totp_code?: string | undefined }, options?: CallOptions): Promise<{ recovery_codes: string[] }>
  /**
   * Get a challenge for a passkey
   *
   * For `navigator.credentials.get()` and `create()`, with user verification `required`. A challenge is valid for 5 minutes, and each passkey signs it once.
   *
   * `POST /auth/passkeys/challenge`
   */
  challengePasskey(input: { [name: string]: unknown }, options?: CallOptions): Promise<{ challenge: string; rp_id: string }>
  /**
   * List the caller's passkeys
   *
   * `GET /auth/passkeys`
   */
  listPasskeys(input: { page?: number | undefined; per_page?: number | undefined }, options?: CallOptions): Promise<{ data: { created_at: string; credential_id: string; id: string; last_used_at: null | string; name: string }[]; paging: { item_count: number; page: number; page_count: number; per_page: number; total_count: number } }>
  /**
   * Add a passkey
   *
   * Create it with `navigator.credentials.create()`: a discoverable credential with user verification, for a challenge of `POST /auth/passkeys/challenge`. It signs in without a password, and is a second factor beside the password, so the account password alone is refused from now on. The user is notified by mail. With the first second factor all other sessions end.
   *
   * `POST /auth/passkeys`
   */
  addPasskey(input: { attestation_object: string; client_data: string; idempotency_key?: null | string | undefined; name: string }, options?: CallOptions): Promise<{ created_at: string; credential_id: string; id: string; last_used_at: null | string; name: string; recovery_codes: string[] }>
  /**
   * Rename one of the caller's passkeys
   *
   * `PATCH /auth/passkeys/:passkey_id`
   */
  renamePasskey(input: { name: string; passkey_id: string }, options?: CallOptions): Promise<{ created_at: string; credential_id: string; id: string; last_used_at: null | string; name: string }>
  /**
   * Remove one of the caller's passkeys
   *
   * Without another second factor, the recovery codes are deleted too.
   *
   * `DELETE /auth/passkeys/:passkey_id`
   */
  removePasskey(input: { passkey_id: string }, options?: CallOptions): Promise<{ [name: string]: never }>
  /**
   * Sign in through an identity provider
   *
   * For browsers: redirects to the identity provider.
   *
   * `GET /auth/sso`
   */
  findSignOn(input: { browser?: string | undefined; connection_id?: string | undefined; organization?: string | undefined; origin?: string | undefined; return_to?: string | undefined }, options?: CallOptions): Promise<{ authorization_url: string; browser?: string | undefined }>
  /**
   * Sign in through an identity provider
   *
   * For browsers: redirects to the identity provider.
   *
   * `GET /auth/sso/:connection_id/start`
   */
  beginSignOn(input: { browser?: string | undefined; connection_id?: string | undefined; organization?: string | undefined; origin?: string | undefined; return_to?: string | undefined }, options?: CallOptions): Promise<{ authorization_url: string; browser?: string | undefined }>
  /**
   * Come back from an identity provider
   *
   * The redirect URI of a connection. Sets the session cookie and redirects to where the sign-on was begun for.
   *
   * `GET /auth/sso/:connection_id/callback`
   */
  completeSignOn(input: { browser?: string | undefined; code?: string | undefined; connection_id: string; error?: string | undefined; iss?: string | undefined; replaces?: string | undefined; state?: string | undefined; user_agent?: string | undefined }, options?: CallOptions): Promise<{ return_to: string; session_token?: string | undefined }>
  /**
   * End sessions from an identity provider
   *
   * The back-channel logout URI of a connection (OpenID Connect Back-Channel Logout 1.0), for the provider: a form with `logout_token`. Ends the sessions of its `sid`, or of its `sub`, that were started before the token. Errors have the format of RFC 6749 §5.2.
   *
   * `POST /auth/sso/:connection_id/backchannel_logout`
   */
  logOutAtProvider(input: { connection_id: string; logout_token: string }, options?: CallOptions): Promise<{ [name: string]: never }>
  /**
   * Show the public key that Bearing signs in with at a provider
   *
   * A JSON Web Key Set (RFC 7517) for the provider. It is empty without `private_key_jwt`.
   *
   * `GET /auth/sso/:connection_id/jwks.json`
   */
  showClientKeys(input: { connection_id: string }, options?: CallOptions): Promise<{ keys: { alg: "RS256"; e: string; kid: string; kty: "RSA"; n: string; use: "sig" }[] }>
  /**
   * Link your account with an identity provider
   *
   * In a session of a browser that was started with the password: send the browser to `authorization_url`. When its user has signed in there, the account is linked, and the session is one of single sign-on.
   *
   * `POST /auth/sso/:connection_id/link`
   */
  beginLink(input: { browser?: string | undefined; connection_id: string; origin?: string | undefined; return_to?: string | undefined }, options?: CallOptions): Promise<{ authorization_url: string; browser?: string | undefined }>
  /**
   * Show the team that the session came from the partner's console with
   *
   * Without an organization: ask once whether to link one that there is, or to create one.
   *
   * `GET /auth/partner_team`
   */
  showPartnerTeam(input: { [name: string]: unknown }, options?: CallOptions): Promise<{ name: string; organization_id: null | string; requested_organization_id: null | string }>
  /**
   * List the identity providers that your account is linked with
   *
   * `GET /auth/sso/identities`
   */
  listSsoIdentities(input: { page?: number | undefined; per_page?: number | undefined }, options?: CallOptions): Promise<{ data: { connection_id: string; connection_name: string; created_at: string; id: string; issuer: string; subject: string }[]; paging: { item_count: number; page: number; page_count: number; per_page: number; total_count: number } }>
  /**
   * Unlink your account from an identity provider
   *
   * The sessions that were started through it end.
   *
   * `DELETE /auth/sso/identities/:sso_identity_id`
   */
  deleteSsoIdentity(input: { sso_identity_id: string }, options?: CallOptions): Promise<{ [name: string]: never }>
  /**
   * List the single sign-on connections of an organization
   *
   * `GET /api/v0/organizations/:organization/sso_connections`
   */
  listSsoConnections(input: { organization: string; page?: number | undefined; per_page?: number | undefined }, options?: CallOptions): Promise<{ data: { backchannel_logout_path?: string | undefined; callback_path: string; client_authentication: "client_secret" | "private_key_jwt"; client_id: string; created_at: string; email_trusted: boolean; enabled: boolean; follows_email: boolean; has_client_secret: boolean; id: string; issuer: string; just_in_time: boolean; jwks_path: null | string; name: string; role_mapping?: null | undefined | { claim: string; fallback: null | { projects: { project_id: string; role: "manager" | "member" | "reader" }[] }; rules: { projects: { project_id: string; role: "manager" | "member" | "reader" }[]; role: "admin" | "member"; value: string }[] }; scopes: string[]; sign_in_path: string }[]; paging: { item_count: number; page: number; page_count: number; per_page: number; total_count: number } }>
  /**
   * Connect an organization's OpenID provider
   *
   * The provider’s metadata is fetched immediately (OpenID Connect Discovery): its issuer has to be exactly the given one, and it has to support PKCE with S256. Then register the gateway with `callback_path` as redirect URI at the provider. A public client has no `client_secret`.
   *
   * `POST /api/v0/organizations/:organization/sso_connections`
   */
  createSsoConnection(input: { client_authentication?: "client_secret" | "private_key_jwt" | undefined; client_id: string; client_secret?: string | undefined; email_trusted?: boolean | undefined; follows_email?: boolean | undefined; issuer: string; just_in_time?: boolean | undefined; name: string; organization: string; role_mapping?: null | undefined | { claim: string; fallback?: null | undefined | { projects?: undefined | { project_id: string; role: "manager" | "member" | "reader" }[] }; rules: { projects?: undefined | { project_id: string; role: "manager" | "member" | "reader" }[]; role?: "admin" | "member" | undefined; value: string }[] }; scopes?: string[] | undefined }, options?: CallOptions): Promise<{ backchannel_logout_path?: string | undefined; callback_path: string; client_authentication: "client_secret" | "private_key_jwt"; client_id: string; created_at: string; email_trusted: boolean; enabled: boolean; follows_email: boolean; has_client_secret: boolean; id: string; issuer: string; just_in_time: boolean; jwks_path: null | string; name: string; role_mapping?: null | undefined | { claim: string; fallback: null | { projects: { project_id: string; role: "manager" | "member" | "reader" }[] }; rules: { projects: { project_id: string; role: "manager" | "member" | "reader" }[]; role: "admin" | "member"; value: string }[] }; scopes: string[]; sign_in_path: string }>
  /**
   * Show a single sign-on connection
   *
   * `GET /api/v0/organizations/:organization/sso_connections/:connection_id`
   */
  showSsoConnection(input: { connection_id: string; organization: string }, options?: CallOptions): Promise<{ backchannel_logout_path?: string | undefined; callback_path: string; client_authentication: "client_secret" | "private_key_jwt"; client_id: string; created_at: string; email_trusted: boolean; enabled: boolean; follows_email: boolean; has_client_secret: boolean; id: string; issuer: string; just_in_time: boolean; jwks_path: null | string; name: string; role_mapping?: null | undefined | { claim: string; fallback: null | { projects: { project_id: string; role: "manager" | "member" | "reader" }[] }; rules: { projects: { project_id: string; role: "manager" | "member" | "reader" }[]; role: "admin" | "member"; value: string }[] }; scopes: string[]; sign_in_path: string }>
  /**
   * Change a single sign-on connection
   *
   * Omitted fields stay as they are. The provider’s metadata is fetched again. Disabling it ends the sessions that were started through it. The issuer cannot be changed: accounts are linked under it. Where the organization requires single sign-on and the connection is broken, an admin may call this in a session with password and second factor.
   *
   * `PUT /api/v0/organizations/:organization/sso_connections/:connection_id`
   */
  changeSsoConnection(input: { client_authentication?: "client_secret" | "private_key_jwt" | undefined; client_id?: string | undefined; client_secret?: null | string | undefined; connection_id: string; email_trusted?: boolean | undefined; enabled?: boolean | undefined; follows_email?: boolean | undefined; just_in_time?: boolean | undefined; name?: string | undefined; organization: string; role_mapping?: null | undefined | { claim: string; fallback?: null | undefined | { projects?: undefined | { project_id: string; role: "manager" | "member" | "reader" }[] }; rules: { projects?: undefined | { project_id: string; role: "manager" | "member" | "reader" }[]; role?: "admin" | "member" | undefined; value: string }[] }; scopes?: string[] | undefined }, options?: CallOptions): Promise<{ backchannel_logout_path?: string | undefined; callback_path: string; client_authentication: "client_secret" | "private_key_jwt"; client_id: string; created_at: string; email_trusted: boolean; enabled: boolean; follows_email: boolean; has_client_secret: boolean; id: string; issuer: string; just_in_time: boolean; jwks_path: null | string; name: string; role_mapping?: null | undefined | { claim: string; fallback: null | { projects: { project_id: string; role: "manager" | "member" | "reader" }[] }; rules: { projects: { project_id: string; role: "manager" | "member" | "reader" }[]; role: "admin" | "member"; value: string }[] }; scopes: string[]; sign_in_path: string }>
  /**
   * Delete a single sign-on connection
   *
   * The sessions that were started through it end at every gateway within a second, and its links go.
   *
   * `DELETE /api/v0/organizations/:organization/sso_connections/:connection_id`
   */
  deleteSsoConnection(input: { connection_id: string; organization: string }, options?: CallOptions): Promise<{ [name: string]: never }>
  /**
   * Read users, groups and capabilities by SCIM
   *
   * SCIM 2.0 (RFC 7643, RFC 7644) for identity providers. Filters: `eq`, joined by `and`, on `id`, `userName`, `externalId`, `displayName`, `active`, `emails.value` and `members.value`.
   *
   * `GET /scim/v2/organizations/:organization/:connection_id/:resource`
   */
  listScim(input: { base_url?: string | undefined; connection_id: string; count?: number | string | undefined; excludedAttributes?: string | undefined; filter?: string | undefined; organization: string; resource: string; resource_id?: string | undefined; startIndex?: number | string | undefined }, options?: CallOptions): Promise<{ etag?: string | undefined; resource: null | { [name: string]: unknown } }>
  /**
   * Read users, groups and capabilities by SCIM
   *
   * SCIM 2.0 (RFC 7643, RFC 7644) for identity providers. Filters: `eq`, joined by `and`, on `id`, `userName`, `externalId`, `displayName`, `active`, `emails.value` and `members.value`.
   *
   * `GET /scim/v2/organizations/:organization/:connection_id/:resource/:resource_id`
   */
  showScim(input: { base_url?: string | undefined; connection_id: string; count?: number | string | undefined; excludedAttributes?: string | undefined; filter?: string | undefined; organization: string; resource: string; resource_id?: string | undefined; startIndex?: number | string | undefined }, options?: CallOptions): Promise<{ etag?: string | undefined; resource: null | { [name: string]: unknown } }>
  /**
   * Create, replace, change or delete a user or group by SCIM
   *
   * A user who is deactivated or deleted is no member of the organization any more: sessions and API keys stop for it at every gateway. Groups feed the role mapping of the connection. With `?dry_run=true` nothing changes: the response (200) has the `resource` that would be stored, and `changes` of members, each with what they have `before` and `after` (null: no member any more).
   *
   * `POST /scim/v2/organizations/:organization/:connection_id/:resource`
   */
  createScim(input: { base_url?: string | undefined; body?: undefined | { [name: string]: unknown }; connection_id: string; dry_run?: boolean | undefined; if_match?: string | undefined; method?: "DELETE" | "PATCH" | "POST" | "PUT" | undefined; organization: string; resource: string; resource_id?: string | undefined }, options?: CallOptions): Promise<{ etag?: string | undefined; resource: null | { [name: string]: unknown } }>
  /**
   * Create, replace, change or delete a user or group by SCIM
   *
   * A user who is deactivated or deleted is no member of the organization any more: sessions and API keys stop for it at every gateway. Groups feed the role mapping of the connection. With `?dry_run=true` nothing changes: the response (200) has the `resource` that would be stored, and `changes` of members, each with what they have `before` and `after` (null: no member any more).
   *
   * `PUT /scim/v2/organizations/:organization/:connection_id/:resource/:resource_id`
   */
  replaceScim(input: { base_url?: string | undefined; body?: undefined | { [name: string]: unknown }; connection_id: string; dry_run?: boolean | undefined; if_match?: string | undefined; method?: "DELETE" | "PATCH" | "POST" | "PUT" | undefined; organization: string; resource: string; resource_id?: string | undefined }, options?: CallOptions): Promise<{ etag?: string | undefined; resource: null | { [name: string]: unknown } }>
  /**
   * Create, replace, change or delete a user or group by SCIM
   *
   * A user who is deactivated or deleted is no member of the organization any more: sessions and API keys stop for it at every gateway. Groups feed the role mapping of the connection. With `?dry_run=true` nothing changes: the response (200) has the `resource` that would be stored, and `changes` of members, each with what they have `before` and `after` (null: no member any more).
   *
   * `PATCH /scim/v2/organizations/:organization/:connection_id/:resource/:resource_id`
   */
  patchScim(input: { base_url?: string | undefined; body?: undefined | { [name: string]: unknown }; connection_id: string; dry_run?: boolean | undefined; if_match?: string | undefined; method?: "DELETE" | "PATCH" | "POST" | "PUT" | undefined; organization: string; resource: string; resource_id?: string | undefined }, options?: CallOptions): Promise<{ etag?: string | undefined; resource: null | { [name: string]: unknown } }>
  /**
   * Create, replace, change or delete a user or group by SCIM
   *
   * A user who is deactivated or deleted is no member of the organization any more: sessions and API keys stop for it at every gateway. Groups feed the role mapping of the connection. With `?dry_run=true` nothing changes: the response (200) has the `resource` that would be stored, and `changes` of members, each with what they have `before` and `after` (null: no member any more).
   *
   * `DELETE /scim/v2/organizations/:organization/:connection_id/:resource/:resource_id`
   */
  deleteScim(input: { base_url?: string | undefined; body?: undefined | { [name: string]: unknown }; connection_id: string; dry_run?: boolean | undefined; if_match?: string | undefined; method?: "DELETE" | "PATCH" | "POST" | "PUT" | undefined; organization: string; resource: string; resource_id?: string | undefined }, options?: CallOptions): Promise<{ etag?: string | undefined; resource: null | { [name: string]: unknown } }>
  /**
   * List the e-mail domains of an organization
   *
   * `GET /api/v0/organizations/:organization/sso_domains`
   */
  listSsoDomains(input: { organization: string; page?: number | undefined; per_page?: number | undefined }, options?: CallOptions): Promise<{ data: { domain: string; txt_record: string; verified_at: null | string }[]; paging: { item_count: number; page: number; page_count: number; per_page: number; total_count: number } }>
  /**
   * Name an e-mail domain of the organization
   *
   * Put `txt_record` into the DNS of the domain and verify it then. Adding it again changes nothing.
   *
   * `PUT /api/v0/organizations/:organization/sso_domains/:domain`
   */
  addSsoDomain(input: { domain: string; organization: string }, options?: CallOptions): Promise<{ domain: string; txt_record: string; verified_at: null | string }>
  /**
   * Verify an e-mail domain
   *
   * Looks for the TXT record. From then on people with email addresses in the domain can become members at their first sign-in through a connection with `just_in_time`.
   *
   * `POST /api/v0/organizations/:organization/sso_domains/:domain/verify`
   */
  verifySsoDomain(input: { domain: string; organization: string }, options?: CallOptions): Promise<{ domain: string; txt_record: string; verified_at: null | string }>
  /**
   * Release an email domain
   *
   * Members stay members; no new ones join through it.
   *
   * `DELETE /api/v0/organizations/:organization/sso_domains/:domain`
   */
  deleteSsoDomain(input: { domain: string; organization: string }, options?: CallOptions): Promise<{ [name: string]: never }>
  /**
   * List the teams of partners that want to be linked with the organization
   *
   * `GET /api/v0/organizations/:organization/partner_links`
   */
  listPartnerLinks(input: { organization: string; page?: number | undefined; per_page?: number | undefined }, options?: CallOptions): Promise<{ data: { id: string; partner: string; requested_at: string; requested_by: string; team_name: string }[]; paging: { item_count: number; page: number; page_count: number; per_page: number; total_count: number } }>
  /**
   * Link a team of a partner with the organization
   *
   * From now on every person of the team becomes a member at their next sign-in, beginning with the person who asked.
   *
   * `POST /api/v0/organizations/:organization/partner_links/:partner_link_id/confirm`
   */
  confirmPartnerLink(input: { join_project_id?: string | undefined; organization: string; partner_link_id: string }, options?: CallOptions): Promise<{ [name: string]: never }>
  /**
   * Refuse to link a team of a partner
   *
   * `DELETE /api/v0/organizations/:organization/partner_links/:partner_link_id`
   */
  refusePartnerLink(input: { organization: string; partner_link_id: string }, options?: CallOptions): Promise<{ [name: string]: never }>
  /**
   * Report a secret that was found where it should not be
   *
   * Having the secret is all the proof that is needed. It is looked up and not stored. An organization auth token is revoked, or only flagged where its organization has chosen so (`when_leaked` of the token policy); a user API key is revoked; an onboarding token is deleted. The outcome is `revoked`, `flagged`, `inactive` (it had expired or was deleted) or `unknown` (not a Bearing credential, mistyped, or an account password: those are never looked up). Reporting a secret again changes nothing.
   *
   * `POST /leaks`
   */
  reportLeak(input: { found_at?: string | undefined; secret: string }, options?: CallOptions): Promise<{ outcome: "flagged" | "inactive" | "revoked" | "unknown" }>
  /**
   * List the auth tokens of an organization
   *
   * The newest first. Expired and deleted tokens stay listed; filters combine. Derived tokens are listed only with `derived_from`, and until a week after their end. Secrets are never shown again.
   *
   * `GET /api/v0/organizations/:organization/auth_tokens`
   */
  listOrganizationTokens(input: { creator?: string | undefined; derived_from?: string | undefined; organization: string; page?: number | undefined; per_page?: number | undefined; q?: string | undefined; state?: "active" | "deleted" | "expired" | undefined; unused_since?: string | undefined }, options?: CallOptions): Promise<{ data: { administers: boolean; allowed_addresses: string[]; created_at: string; created_by: string; deleted_at: null | string; derived_from: null | string; description: string; expires_at: null | string; id: string; last_used: null | { address: string; at: string; user_agent: null | string }; leaked_at: null | string; permissions: Permission[]; project_ids: null | string[]; replaced_by: null | string; replaces: null | string; scim_connection_id?: null | string | undefined; state: "active" | "deleted" | "expired"; workload: null | { claims: { [name: string]: string }; issuer: string; subject: string; trust_id: string } }[]; paging: { item_count: number; page: number; page_count: number; per_page: number; total_count: number } }>
  /**
   * Create an organization auth token
   *
   * The secret (`token`) is in this reply and never shown again.
   *
   * `POST /api/v0/organizations/:organization/auth_tokens`
   */
  createOrganizationToken(input: { allowed_addresses?: string[] | undefined; description: string; expires_at?: null | string | undefined; idempotency_key?: null | string | undefined; organization: string; permissions?: Permission[] | undefined; preset?: "administration" | "ci-uploads" | "locations-only" | "project-manager" | "reader" | undefined; project_ids?: null | string[] | undefined; scim_connection_id?: null | string | undefined }, options?: CallOptions): Promise<{ administers: boolean; allowed_addresses: string[]; created_at: string; created_by: string; deleted_at: null | string; derived_from: null | string; description: string; expires_at: null | string; id: string; last_used: null | { address: string; at: string; user_agent: null | string }; leaked_at: null | string; permissions: Permission[]; project_ids: null | string[]; replaced_by: null | string; replaces: null | string; scim_connection_id?: null | string | undefined; state: "active" | "deleted" | "expired"; token: string; workload: null | { claims: { [name: string]: string }; issuer: string; subject: string; trust_id: string } }>
  /**
   * Derive a weaker auth token from the calling one
   *
   * For an organization auth token with this permission. The new token has some of its permissions, projects and networks, expires no later, and ends immediately when the calling token ends. The secret (`token`) is in this reply and never shown again. A chain of derivation has at most 3 tokens: the last one cannot have this permission.
   *
   * `POST /api/v0/organizations/:organization/auth_tokens/derive`
   */
  deriveOrganizationToken(input: { allowed_addresses?: string[] | undefined; description?: string | undefined; expires_in?: number | undefined; idempotency_key?: null | string | undefined; organization: string; permissions?: Permission[] | undefined; project_ids?: null | string[] | undefined }, options?: CallOptions): Promise<{ administers: boolean; allowed_addresses: string[]; created_at: string; created_by: string; deleted_at: null | string; derived_from: null | string; description: string; expires_at: null | string; id: string; last_used: null | { address: string; at: string; user_agent: null | string }; leaked_at: null | string; permissions: Permission[]; project_ids: null | string[]; replaced_by: null | string; replaces: null | string; scim_connection_id?: null | string | undefined; state: "active" | "deleted" | "expired"; token: string; workload: null | { claims: { [name: string]: string }; issuer: string; subject: string; trust_id: string } }>
  /**
   * Delete an organization auth token
   *
   * It is refused from now on, at every gateway. Deleting it again changes nothing.
   *
   * `DELETE /api/v0/organizations/:organization/auth_tokens/:organization_token_id`
   */
  deleteOrganizationToken(input: { organization: string; organization_token_id: string }, options?: CallOptions): Promise<{ administers: boolean; allowed_addresses: string[]; created_at: string; created_by: string; deleted_at: null | string; derived_from: null | string; description: string; expires_at: null | string; id: string; last_used: null | { address: string; at: string; user_agent: null | string }; leaked_at: null | string; permissions: Permission[]; project_ids: null | string[]; replaced_by: null | string; replaces: null | string; scim_connection_id?: null | string | undefined; state: "active" | "deleted" | "expired"; workload: null | { claims: { [name: string]: string }; issuer: string; subject: string; trust_id: string } }>
  /**
   * Replace an organization auth token by a new one
   *
   * The new token has the same permissions and projects, or fewer projects with `project_ids`. The secret (`token`) is in this reply and never shown again. The old token stops working after `grace_seconds`; one that was revoked as leaked works no more, and can be replaced too. Rotation never extends a life: the old token keeps its own end if that is sooner, and the new token ends no later than the old one would have.
   *
   * `POST /api/v0/organizations/:organization/auth_tokens/:organization_token_id/rotate`
   */
  rotateOrganizationToken(input: { grace_seconds?: number | undefined; idempotency_key?: null | string | undefined; organization: string; organization_token_id: string; project_ids?: null | string[] | undefined }, options?: CallOptions): Promise<{ administers: boolean; allowed_addresses: string[]; created_at: string; created_by: string; deleted_at: null | string; derived_from: null | string; description: string; expires_at: null | string; id: string; last_used: null | { address: string; at: string; user_agent: null | string }; leaked_at: null | string; permissions: Permission[]; project_ids: null | string[]; replaced: { administers: boolean; allowed_addresses: string[]; created_at: string; created_by: string; deleted_at: null | string; derived_from: null | string; description: string; expires_at: null | string; id: string; last_used: null | { address: string; at: string; user_agent: null | string }; leaked_at: null | string; permissions: Permission[]; project_ids: null | string[]; replaced_by: null | string; replaces: null | string; scim_connection_id?: null | string | undefined; state: "active" | "deleted" | "expired"; workload: null | { claims: { [name: string]: string }; issuer: string; subject: string; trust_id: string } }; replaced_by: null | string; replaces: null | string; scim_connection_id?: null | string | undefined; state: "active" | "deleted" | "expired"; token: string; workload: null | { claims: { [name: string]: string }; issuer: string; subject: string; trust_id: string } }>
  /**
   * Show the requests with an organization token, by day and outcome
   *
   * `GET /api/v0/organizations/:organization/auth_tokens/:organization_token_id/usage`
   */
  showOrganizationTokenUsage(input: { days?: number | undefined; organization: string; organization_token_id: string }, options?: CallOptions): Promise<{ days: { day: string; denied: number; failed: number; invalid: number; limited: number; ok: number }[] }>
  /**
   * Show what an organization demands of its auth tokens
   *
   * `GET /api/v0/organizations/:organization/auth_token_policy`
   */
  showOrganizationTokenPolicy(input: { organization: string }, options?: CallOptions): Promise<{ administration: "allow" | "forbid"; administration_max_lifetime_days: number; max_lifetime_days: null | number; when_leaked: "flag" | "revoke" }>
  /**
   * Change what an organization demands of its auth tokens
   *
   * Tokens that are created or rotated from now on end no later than this allows, whatever is asked for. Tokens that there are stay as they are, but for administration: forbidding it takes it from all of them.
   *
   * `PUT /api/v0/organizations/:organization/auth_token_policy`
   */
  changeOrganizationTokenPolicy(input: { administration?: "allow" | "forbid" | undefined; administration_max_lifetime_days?: number | undefined; max_lifetime_days: null | number; organization: string; when_leaked?: "flag" | "revoke" | undefined }, options?: CallOptions): Promise<{ administration: "allow" | "forbid"; administration_max_lifetime_days: number; max_lifetime_days: null | number; when_leaked: "flag" | "revoke" }>
  /**
   * Exchange a workload's token for an organization auth token
   *
   * Token exchange (RFC 8693), as a form (`application/x-www-form-urlencoded`). `audience` names the organization by slug or id. Errors have the format of RFC 6749 §5.2.
   *
   * `POST /oauth/token`
   */
  exchangeToken(input: { audience?: string | undefined; client_id?: string | undefined; grant_type: string; organization: string; requested_token_type?: string | undefined; scope?: string | undefined; subject_token: string; subject_token_type: string }, options?: CallOptions): Promise<{ access_token: string; expires_in: number; issued_token_type: "urn:ietf:params:oauth:token-type:access_token"; scope: string; token_type: "Bearer" }>
  /**
   * List the trusts in workloads of an organization
   *
   * `GET /api/v0/organizations/:organization/workload_trusts`
   */
  listWorkloadTrusts(input: { organization: string; page?: number | undefined; per_page?: number | undefined }, options?: CallOptions): Promise<{ data: { administers: boolean; allowed_addresses: string[]; audience: string; claims: { [name: string]: string }; created_at: string; created_by: string; has_pasted_keys: boolean; id: string; issuer: string; last_exchange_at: null | string; lifetime_seconds: number; name: string; permissions: Permission[]; platform: "buildkite" | "generic" | "github" | "gitlab" | "google" | "kubernetes"; project_ids: null | string[]; single_use: boolean }[]; paging: { item_count: number; page: number; page_count: number; per_page: number; total_count: number } }>
  /**
   * Trust the tokens of workloads
   *
   * From now on `POST /oauth/token` exchanges tokens of this issuer with this audience and these claims. A trust has to require immutable ids with exact values: names can be registered again by others.
   *
   * `POST /api/v0/organizations/:organization/workload_trusts`
   */
  createWorkloadTrust(input: { allowed_addresses?: string[] | undefined; audience: string; claims: { [name: string]: string }; issuer?: string | undefined; jwks?: null | undefined | { keys: { kty: "EC" | "OKP" | "RSA"; [name: string]: unknown }[] }; lifetime_seconds?: number | undefined; name: string; organization: string; permissions: Permission[]; platform: "buildkite" | "generic" | "github" | "gitlab" | "google" | "kubernetes"; project_ids?: null | string[] | undefined; single_use?: boolean | undefined }, options?: CallOptions): Promise<{ administers: boolean; allowed_addresses: string[]; audience: string; claims: { [name: string]: string }; created_at: string; created_by: string; has_pasted_keys: boolean; id: string; issuer: string; last_exchange_at: null | string; lifetime_seconds: number; name: string; permissions: Permission[]; platform: "buildkite" | "generic" | "github" | "gitlab" | "google" | "kubernetes"; project_ids: null | string[]; single_use: boolean }>
  /**
   * Replace a trust in workloads
   *
   * All fields are replaced. Its tokens end immediately, at every gateway.
   *
   * `PUT /api/v0/organizations/:organization/workload_trusts/:trust_id`
   */
  changeWorkloadTrust(input: { allowed_addresses?: string[] | undefined; audience: string; claims: { [name: string]: string }; issuer?: string | undefined; jwks?: null | undefined | { keys: { kty: "EC" | "OKP" | "RSA"; [name: string]: unknown }[] }; lifetime_seconds?: number | undefined; name: string; organization: string; permissions: Permission[]; platform: "buildkite" | "generic" | "github" | "gitlab" | "google" | "kubernetes"; project_ids?: null | string[] | undefined; single_use?: boolean | undefined; trust_id: string }, options?: CallOptions): Promise<{ administers: boolean; allowed_addresses: string[]; audience: string; claims: { [name: string]: string }; created_at: string; created_by: string; has_pasted_keys: boolean; id: string; issuer: string; last_exchange_at: null | string; lifetime_seconds: number; name: string; permissions: Permission[]; platform: "buildkite" | "generic" | "github" | "gitlab" | "google" | "kubernetes"; project_ids: null | string[]; single_use: boolean }>
  /**
   * Delete a trust in workloads
   *
   * Its tokens end immediately, at every gateway.
   *
   * `DELETE /api/v0/organizations/:organization/workload_trusts/:trust_id`
   */
  deleteWorkloadTrust(input: { organization: string; trust_id: string }, options?: CallOptions): Promise<{ [name: string]: never }>
  /**
   * List the legacy location tokens of an organization
   *
   * Retired ones stay listed. `last_used_at` shows which devices still have to be moved to another credential.
   *
   * `GET /api/v0/organizations/:organization/legacy_tokens`
   */
  listLegacyTokens(input: { organization: string; page?: number | undefined; per_page?: number | undefined }, options?: CallOptions): Promise<{ data: { description: string; id: string; imported_at: string; kind: "evaluation" | "service"; last_used_at: null | string; project_id: null | string; state: "active" | "retired"; sunset_at: string }[]; paging: { item_count: number; page: number; page_count: number; per_page: number; total_count: number } }>
  /**
   * Import hashes of legacy location tokens
   *
   * From then on the tokens are accepted as `Authorization: Bearer` for asking for locations of the organization, and for nothing else, until `sunset_at`. A token that the organization has imported before gets the new kind, description and date, and the project if one is sent: to make it reach every project again, delete it and import it without. With a project, a token also works at the location addresses without organization and project (`/v1/location/…`). All are imported, or none.
   *
   * `POST /api/v0/organizations/:organization/legacy_tokens`
   */
  importLegacyTokens(input: { organization: string; sunset_at: string; tokens: { description?: string | undefined; kind?: "evaluation" | "service" | undefined; project_id?: null | string | undefined; sha256: string }[] }, options?: CallOptions): Promise<{ imported: number; updated: number }>
  /**
   * Delete a legacy location token
   *
   * It is refused from now on, at every gateway.
   *
   * `DELETE /api/v0/organizations/:organization/legacy_tokens/:legacy_token_id`
   */
  deleteLegacyToken(input: { legacy_token_id: string; organization: string }, options?: CallOptions): Promise<{ description: string; id: string; imported_at: string; kind: "evaluation" | "service"; last_used_at: null | string; project_id: null | string; state: "active" | "retired"; sunset_at: string }>
  /**
   * Show how people have to sign in
   *
   * `GET /api/v0/organizations/:organization/sign_in_policy`
   */
  showSignInPolicy(input: { organization: string }, options?: CallOptions): Promise<{ device_logins: "off" | "on" | "same-network"; second_factor_kind: "any" | "phishing-resistant"; second_factor_required: boolean; sso_required: boolean }>
  /**
   * Change how people have to sign in
   *
   * Omitted fields stay as they are. It is effective at every gateway within a second, and only for this organization. The admin who switches a rule on has to fulfil it, so that nobody locks themselves out: requiring single sign-on needs a session that was started through a connection of the organization.
   *
   * `PUT /api/v0/organizations/:organization/sign_in_policy`
   */
  changeSignInPolicy(input: { device_logins?: "off" | "on" | "same-network" | undefined; organization: string; second_factor_kind?: "any" | "phishing-resistant" | undefined; second_factor_required?: boolean | undefined; sso_required?: boolean | undefined }, options?: CallOptions): Promise<{ device_logins: "off" | "on" | "same-network"; second_factor_kind: "any" | "phishing-resistant"; second_factor_required: boolean; sso_required: boolean }>
  /**
   * List the members of an organization
   *
   * By e-mail address, with the role of each and their roles in the projects that the caller may see. With a user API key or the account password; organization auth tokens see members of projects only.
   *
   * `GET /api/v0/organizations/:organization/members`
   */
  listMembers(input: { organization: string; page?: number | undefined; per_page?: number | undefined }, options?: CallOptions): Promise<{ data: { connection_id?: null | string | undefined; email: string; last_sign_in_at?: null | string | undefined; projects: { connection_id?: null | string | undefined; project_id: string; role: "manager" | "member" | "reader" }[]; role: "admin" | "member"; second_factor?: boolean | undefined; user_id: string }[]; paging: { item_count: number; page: number; page_count: number; per_page: number; total_count: number } }>
  /**
   * Change the role of a member
   *
   * For admins. It is effective at every gateway within a second. The last admin keeps the role: make somebody else an admin first.
   *
   * `PUT /api/v0/organizations/:organization/members/:user_id`
   */
  setMemberRole(input: { organization: string; role: "admin" | "member"; user_id: string }, options?: CallOptions): Promise<{ connection_id?: null | string | undefined; email: string; projects: { connection_id?: null | string | undefined; project_id: string; role: "manager" | "member" | "reader" }[]; role: "admin" | "member"; user_id: string }>
  /**
   * Remove a member from an organization, or leave it
   *
   * Admins remove anybody, every other member only themselves. Their roles in its projects go with it, and their credentials stop for this organization within a second; for their other organizations they keep working. The last admin cannot leave.
   *
   * `DELETE /api/v0/organizations/:organization/members/:user_id`
   */
  removeMember(input: { organization: string; user_id: string }, options?: CallOptions): Promise<{ connection_id?: null | string | undefined; email: string; projects: { connection_id?: null | string | undefined; project_id: string; role: "manager" | "member" | "reader" }[]; role: "admin" | "member"; user_id: string }>
  /**
   * List the invitations into an organization
   *
   * For admins. Newest first; accepted, revoked and expired ones stay listed.
   *
   * `GET /api/v0/organizations/:organization/invitations`
   */
  listInvitations(input: { organization: string; page?: number | undefined; per_page?: number | undefined }, options?: CallOptions): Promise<{ data: { accepted_at: null | string; email: string; expires_at: string; id: string; invited_by: string; projects: { project_id: string; role: "manager" | "member" | "reader" }[]; revoked_at: null | string; role: "admin" | "member"; sent_at: string; state: "accepted" | "expired" | "pending" | "revoked" }[]; paging: { item_count: number; page: number; page_count: number; per_page: number; total_count: number } }>
  /**
   * Invite somebody into an organization
   *
   * For admins. A link is mailed to the address; it works once, for 72 hours, and only for that address. Nobody else ever sees it. It dies when the admin who sent it is no admin any more.
   *
   * `POST /api/v0/organizations/:organization/invitations`
   */
  createInvitation(input: { email: string; organization: string; projects?: undefined | { project_id: string; role: "manager" | "member" | "reader" }[]; role: "admin" | "member" }, options?: CallOptions): Promise<{ accepted_at: null | string; email: string; expires_at: string; id: string; invited_by: string; projects: { project_id: string; role: "manager" | "member" | "reader" }[]; revoked_at: null | string; role: "admin" | "member"; sent_at: string; state: "accepted" | "expired" | "pending" | "revoked" }>
  /**
   * Revoke an invitation
   *
   * For admins. Its link is dead from now on. Revoking it again changes nothing.
   *
   * `DELETE /api/v0/organizations/:organization/invitations/:invitation_id`
   */
  revokeInvitation(input: { invitation_id: string; organization: string }, options?: CallOptions): Promise<{ accepted_at: null | string; email: string; expires_at: string; id: string; invited_by: string; projects: { project_id: string; role: "manager" | "member" | "reader" }[]; revoked_at: null | string; role: "admin" | "member"; sent_at: string; state: "accepted" | "expired" | "pending" | "revoked" }>
  /**
   * Mail a new link for an invitation
   *
   * For admins. The link before is dead from now on, and the new one works for 72 hours. An expired invitation comes back in this way. Between two mails to an address there is a pause: a minute after the first, then twice as long each time, up to a day.
   *
   * `POST /api/v0/organizations/:organization/invitations/:invitation_id/resend`
   */
  resendInvitation(input: { invitation_id: string; organization: string }, options?: CallOptions): Promise<{ accepted_at: null | string; email: string; expires_at: string; id: string; invited_by: string; projects: { project_id: string; role: "manager" | "member" | "reader" }[]; revoked_at: null | string; role: "admin" | "member"; sent_at: string; state: "accepted" | "expired" | "pending" | "revoked" }>
  /**
   * List the audit log of an organization
   *
   * Newest first. What happens in a service other than identity arrives within seconds; `at` is when it was done. Read long lists with `cursor`.
   *
   * `GET /api/v0/organizations/:organization/audit_log`
   */
  listAuditEntries(input: { action?: string | undefined; actor?: string | undefined; cursor?: string | undefined; from?: string | undefined; organization: string; page?: number | undefined; per_page?: number | undefined; request_id?: string | undefined; target?: string | undefined; to?: string | undefined }, options?: CallOptions): Promise<{ data: { action: string; actor_credential_id: null | string; actor_email: null | string; actor_kind: string; actor_name: null | string; actor_service: null | string; actor_user_id: null | string; address: null | string; at: string; details: { [name: string]: boolean | null | number | string | string[] }; format: "bearing-audit-v1" | null; hash: null | string; id: string; organization_id: null | string; previous_hash: null | string; request_id: string; sequence: null | number; service: string; target: string; target_name: null | string }[]; next: null | string; paging: { item_count: number; page: number; page_count: number; per_page: number; total_count: number; total_is_minimum?: boolean | undefined } }>
  /**
   * Export the audit log of an organization
   *
   * All rows that match, oldest first, in the order of the chain: without filters it can be verified with `bearing audit-log verify`, or with any implementation of RFC 8785 and SHA-256. A connection that ends before the last chunk is an export that is not whole.
   *
   * `GET /api/v0/organizations/:organization/audit_log/export`
   */
  exportAuditEntries(input: { action?: string | undefined; actor?: string | undefined; cursor?: string | undefined; from?: string | undefined; organization: string; request_id?: string | undefined; target?: string | undefined; to?: string | undefined }, options?: CallOptions): Promise<{ data: { action: string; actor_credential_id: null | string; actor_kind: string; actor_service: null | string; actor_user_id: null | string; address: null | string; at: string; details: { [name: string]: boolean | null | number | string | string[] }; format: "bearing-audit-v1" | null; hash: null | string; id: string; organization_id: null | string; previous_hash: null | string; request_id: string; sequence: null | number; service: string; target: string }[]; next: null | string }>
  /**
   * List the signed checkpoints of the audit log of an organization
   *
   * Newest first. The head of the chain is signed every minute if it moved, with a key that the database does not hold. Those of 24 hours are kept, then the last one of each day. Store a checkpoint elsewhere: `bearing audit-log verify --against` then proves that nothing before it was changed or cut off.
   *
   * `GET /api/v0/organizations/:organization/audit_log/checkpoints`
   */
  listAuditCheckpoints(input: { organization: string; page?: number | undefined; per_page?: number | undefined }, options?: CallOptions): Promise<{ data: { at: string; note: string; size: number }[]; paging: { item_count: number; page: number; page_count: number; per_page: number; total_count: number }; verification_keys: string[] }>
  /**
   * Show a project's key, and those before it that still work
   *
   * `GET /api/v0/organizations/:organization/projects/:project/api_key`
   */
  showProjectKey(input: { organization: string; project: string }, options?: CallOptions): Promise<{ api_key: string; created_at: string; devices: { last_day: number; last_hour: number }; in_grace: { api_key: string; created_at: string; devices: { last_day: number; last_hour: number }; expires_at: string; last_used_at: null | string }[]; last_used_at: null | string; requested: null | { api_key: string; expires_at: string; network: null | string; requested_at: string } }>
  /**
   * Show the requests with a project's key, by day and outcome
   *
   * Those with replaced keys that still work are counted too.
   *
   * `GET /api/v0/organizations/:organization/projects/:project/api_key/usage`
   */
  showProjectKeyUsage(input: { days?: number | undefined; organization: string; project: string }, options?: CallOptions): Promise<{ days: { day: string; denied: number; failed: number; invalid: number; limited: number; ok: number }[] }>
  /**
   * Replace a project's key
   *
   * The previous key works for `grace_seconds` more, and keys in their grace period keep their end. With 0 every earlier key stops working immediately, those in their grace period too.
   *
   * `POST /api/v0/organizations/:organization/projects/:project/api_key`
   */
  cycleProjectKey(input: { grace_seconds?: number | undefined; organization: string; project: string }, options?: CallOptions): Promise<{ api_key: string; created_at: string; devices: { last_day: number; last_hour: number }; in_grace: { api_key: string; created_at: string; devices: { last_day: number; last_hour: number }; expires_at: string; last_used_at: null | string }[]; last_used_at: null | string; requested: null | { api_key: string; expires_at: string; network: null | string; requested_at: string } }>
  /**
   * Ask for a key that devices have already
   *
   * For admins of the organization. An operator imports the key, or the first request with it from `network` does: then the previous key works for seven more days. Without either, the request expires after 30 days. A project has one request; a new one replaces it. A key that another project has or has asked for is refused, without its owner.
   *
   * `PUT /api/v0/organizations/:organization/projects/:project/api_key/requested`
   */
  requestKeyImport(input: { api_key: string; network?: null | string | undefined; organization: string; project: string }, options?: CallOptions): Promise<{ api_key: string; expires_at: string; network: null | string; requested_at: string }>
  /**
   * Withdraw the request for a key that devices have
   *
   * For admins of the organization. Without a request nothing changes.
   *
   * `DELETE /api/v0/organizations/:organization/projects/:project/api_key/requested`
   */
  cancelKeyImport(input: { organization: string; project: string }, options?: CallOptions): Promise<{ [name: string]: never }>
  /**
   * End the grace period of replaced project keys
   *
   * Replaced keys stop working at every gateway within a second. The current key stays. Without replaced keys nothing changes.
   *
   * `DELETE /api/v0/organizations/:organization/projects/:project/api_key/in_grace`
   */
  endKeyGraces(input: { organization: string; project: string }, options?: CallOptions): Promise<{ api_key: string; created_at: string; devices: { last_day: number; last_hour: number }; in_grace: { api_key: string; created_at: string; devices: { last_day: number; last_hour: number }; expires_at: string; last_used_at: null | string }[]; last_used_at: null | string; requested: null | { api_key: string; expires_at: string; network: null | string; requested_at: string } }>
  /**
   * List the keys of a device
   *
   * `GET /api/v0/organizations/:organization/projects/:project/devices/:device_serial/keys`
   */
  listDeviceKeys(input: { device_serial: string; organization: string; page?: number | undefined; per_page?: number | undefined; project: string }, options?: CallOptions): Promise<{ data: { algorithm: "ES256" | "ES384" | "EdDSA"; created_at: string; device_ca_id: null | string; device_serial: string; expires_at: null | string; id: string; last_used_at: null | string; public_key: string; thumbprint: string }[]; paging: { item_count: number; page: number; page_count: number; per_page: number; total_count: number } }>
  /**
   * Register a public key of a device
   *
   * The device signs its tokens with the private key, which Bearing never receives. The device need not exist yet. A device has at most two keys: to rotate, register the new key with `grace_seconds`, and the other one expires. A public key is registered once in an installation.
   *
   * `POST /api/v0/organizations/:organization/projects/:project/devices/:device_serial/keys`
   */
  createDeviceKey(input: { device_serial: string; grace_seconds?: null | number | undefined; organization: string; project: string; public_key: string | { kty: "EC" | "OKP"; [name: string]: unknown } }, options?: CallOptions): Promise<{ algorithm: "ES256" | "ES384" | "EdDSA"; created_at: string; device_ca_id: null | string; device_serial: string; expires_at: null | string; id: string; last_used_at: null | string; public_key: string; thumbprint: string }>
  /**
   * Revoke a key of a device
   *
   * Every gateway rejects its tokens immediately.
   *
   * `DELETE /api/v0/organizations/:organization/projects/:project/devices/:device_serial/keys/:device_key_id`
   */
  revokeDeviceKey(input: { device_key_id: string; device_serial: string; organization: string; project: string }, options?: CallOptions): Promise<{ [name: string]: never }>
  /**
   * Register public keys of devices, up to 250 in a request
   *
   * The result has one outcome for each key, in the order of the request; a key that fails does not affect the others. A repeated request changes nothing.
   *
   * `POST /api/v0/organizations/:organization/projects/:project/device-keys/import`
   */
  importDeviceKeys(input: { keys: { device_serial: string; public_key: string | { kty: "EC" | "OKP"; [name: string]: unknown } }[]; organization: string; project: string }, options?: CallOptions): Promise<{ data: { device_serial: string; error?: string | undefined; outcome: "created" | "failed" | "unchanged" }[] }>
  /**
   * Register a public key of the device that sends the request
   *
   * For devices, with the project key. `proof` is a token that the device signs with the new key: `sub` is its serial number, `aud` is `claim:` and the project key, `exp` is at most 24 hours ahead. `device_claims` of the project decides about the claim. Repeat the request until `status` is `registered`: a repeated claim of the same key changes nothing.
   *
   * `POST /api/v0/device-claims`
   */
  claimDevice(input: { device_serial: string; onboarding_token?: null | string | undefined; organization: string; project: string; proof: string; public_key: string | { kty: "EC" | "OKP"; [name: string]: unknown } }, options?: CallOptions): Promise<{ device_serial: string; expires_at: null | string; status: "registered" | "waiting"; thumbprint: string }>
  /**
   * List the claims of devices that wait for approval
   *
   * The oldest first. At most 1,000 wait in a project, each for 7 days.
   *
   * `GET /api/v0/organizations/:organization/projects/:project/device-claims`
   */
  listDeviceClaims(input: { organization: string; page?: number | undefined; per_page?: number | undefined; project: string }, options?: CallOptions): Promise<{ data: { algorithm: "ES256" | "ES384" | "EdDSA"; client_address: null | string; created_at: string; device_serial: string; expires_at: string; id: string; public_key: string; thumbprint: string }[]; paging: { item_count: number; page: number; page_count: number; per_page: number; total_count: number } }>
  /**
   * Approve the claim of a device, and register its key
   *
   * `POST /api/v0/organizations/:organization/projects/:project/device-claims/:device_claim_id/approve`
   */
  approveDeviceClaim(input: { device_claim_id: string; organization: string; project: string }, options?: CallOptions): Promise<{ algorithm: "ES256" | "ES384" | "EdDSA"; created_at: string; device_ca_id: null | string; device_serial: string; expires_at: null | string; id: string; last_used_at: null | string; public_key: string; thumbprint: string }>
  /**
   * Reject the claim of a device
   *
   * Further claims of the same key are refused until the claim would have expired.
   *
   * `POST /api/v0/organizations/:organization/projects/:project/device-claims/:device_claim_id/reject`
   */
  rejectDeviceClaim(input: { device_claim_id: string; organization: string; project: string }, options?: CallOptions): Promise<{ [name: string]: never }>
  /**
   * List the CA certificates of a project
   *
   * `GET /api/v0/organizations/:organization/projects/:project/device-cas`
   */
  listDeviceCas(input: { organization: string; page?: number | undefined; per_page?: number | undefined; project: string }, options?: CallOptions): Promise<{ data: { certificate: string; created_at: string; expires_at: string; fingerprint: string; id: string; just_in_time: boolean; serial_from: "san_dns" | "san_uri" | "subject_cn" | "subject_serial_number"; serial_pattern: string; subject: string }[]; paging: { item_count: number; page: number; page_count: number; per_page: number; total_count: number } }>
  /**
   * Register a CA certificate for devices of a project
   *
   * Devices with certificates of this CA can prove themselves. `verification_certificate` proves possession of the CA key: the CA signs it, and its common name is `bearing-ca-` and the id of the project. A root or an intermediate CA can be registered, each key once in an installation. A project has at most 10.
   *
   * `POST /api/v0/organizations/:organization/projects/:project/device-cas`
   */
  createDeviceCa(input: { certificate: string; just_in_time?: boolean | undefined; organization: string; project: string; serial_from?: "san_dns" | "san_uri" | "subject_cn" | "subject_serial_number" | undefined; serial_pattern?: string | undefined; verification_certificate: string }, options?: CallOptions): Promise<{ certificate: string; created_at: string; expires_at: string; fingerprint: string; id: string; just_in_time: boolean; serial_from: "san_dns" | "san_uri" | "subject_cn" | "subject_serial_number"; serial_pattern: string; subject: string }>
  /**
   * Change how devices with certificates of a CA are registered
   *
   * `PATCH /api/v0/organizations/:organization/projects/:project/device-cas/:device_ca_id`
   */
  changeDeviceCa(input: { device_ca_id: string; just_in_time?: boolean | undefined; organization: string; project: string; serial_from?: "san_dns" | "san_uri" | "subject_cn" | "subject_serial_number" | undefined; serial_pattern?: string | undefined }, options?: CallOptions): Promise<{ certificate: string; created_at: string; expires_at: string; fingerprint: string; id: string; just_in_time: boolean; serial_from: "san_dns" | "san_uri" | "subject_cn" | "subject_serial_number"; serial_pattern: string; subject: string }>
  /**
   * Delete a CA certificate, and revoke the keys that it registered
   *
   * Every gateway rejects devices with certificates of this CA immediately. Keys that managers registered continue to work.
   *
   * `DELETE /api/v0/organizations/:organization/projects/:project/device-cas/:device_ca_id`
   */
  deleteDeviceCa(input: { device_ca_id: string; organization: string; project: string }, options?: CallOptions): Promise<{ [name: string]: never }>
  /**
   * List the onboarding tokens of a project
   *
   * The newest first, those of the last 7 days that have expired too.
   *
   * `GET /api/v0/organizations/:organization/projects/:project/onboarding-tokens`
   */
  listOnboardingTokens(input: { organization: string; page?: number | undefined; per_page?: number | undefined; project: string }, options?: CallOptions): Promise<{ data: { created_at: string; expires_at: string; id: string; max_uses: number; name: string; uses: number }[]; paging: { item_count: number; page: number; page_count: number; per_page: number; total_count: number } }>
  /**
   * Create an onboarding token
   *
   * The token is shown this once. Devices send it with a claim if `device_claims` is `onboarding-token`.
   *
   * `POST /api/v0/organizations/:organization/projects/:project/onboarding-tokens`
   */
  createOnboardingToken(input: { expires_at: string; idempotency_key?: null | string | undefined; max_uses?: number | undefined; name: string; organization: string; project: string }, options?: CallOptions): Promise<{ created_at: string; expires_at: string; id: string; max_uses: number; name: string; token: string; uses: number }>
  /**
   * Delete an onboarding token
   *
   * Keys that were registered with it continue to work.
   *
   * `DELETE /api/v0/organizations/:organization/projects/:project/onboarding-tokens/:onboarding_token_id`
   */
  deleteOnboardingToken(input: { onboarding_token_id: string; organization: string; project: string }, options?: CallOptions): Promise<{ [name: string]: never }>
  /**
   * Show a project's settings
   *
   * `GET /api/v0/organizations/:organization/projects/:project/settings`
   */
  showProjectSettings(input: { organization: string; project: string }, options?: CallOptions): Promise<{ device_claims: "approval" | "off" | "onboarding-token" | "open"; device_identity: "off" | "optional" | "required"; device_tokens_without_expiry: boolean; project_key_may_contribute: boolean; project_key_may_locate: boolean }>
  /**
   * Change a project's settings
   *
   * Every gateway goes by them within a second.
   *
   * `PUT /api/v0/organizations/:organization/projects/:project/settings`
   */
  changeProjectSettings(input: { device_claims?: "approval" | "off" | "onboarding-token" | "open" | undefined; device_identity?: "off" | "optional" | "required" | undefined; device_tokens_without_expiry?: boolean | undefined; organization: string; project: string; project_key_may_contribute?: boolean | undefined; project_key_may_locate: boolean }, options?: CallOptions): Promise<{ device_claims: "approval" | "off" | "onboarding-token" | "open"; device_identity: "off" | "optional" | "required"; device_tokens_without_expiry: boolean; project_key_may_contribute: boolean; project_key_may_locate: boolean }>
  /**
   * List the members of a project
   *
   * By e-mail address. Admins of the organization are managers of all its projects, and are listed where they have a role of their own besides.
   *
   * `GET /api/v0/organizations/:organization/projects/:project/members`
   */
  listProjectMembers(input: { organization: string; page?: number | undefined; per_page?: number | undefined; project: string }, options?: CallOptions): Promise<{ data: { connection_id?: null | string | undefined; email: string; role: "manager" | "member" | "reader"; user_id: string }[]; paging: { item_count: number; page: number; page_count: number; per_page: number; total_count: number } }>
  /**
   * Give a member of the organization a role in a project
   *
   * For managers of the project, admins, and organization auth tokens with the permission `project-member:manage`. It replaces the role that the user had there, and is effective at every gateway within a second. A token cannot change the role of an admin of the organization, nor give or replace a role that has permissions which the token does not have.
   *
   * `PUT /api/v0/organizations/:organization/projects/:project/members/:user_id`
   */
  setProjectMember(input: { organization: string; project: string; role: "manager" | "member" | "reader"; user_id: string }, options?: CallOptions): Promise<{ connection_id?: null | string | undefined; email: string; role: "manager" | "member" | "reader"; user_id: string }>
  /**
   * Remove a member from a project
   *
   * For managers of the project, admins, and organization auth tokens with the permission `project-member:manage`, which cannot remove admins or roles with more permissions than their own. The user stays a member of the organization.
   *
   * `DELETE /api/v0/organizations/:organization/projects/:project/members/:user_id`
   */
  removeProjectMember(input: { organization: string; project: string; user_id: string }, options?: CallOptions): Promise<{ connection_id?: null | string | undefined; email: string; role: "manager" | "member" | "reader"; user_id: string }>
  /**
   * Create the organization of the partner's team
   *
   * It takes the name of the team and contains a project called `default`; the caller becomes its admin. If the team has an organization already, that one is returned: the call is idempotent.
   *
   * `POST /auth/partner_team/create`
   */
  createPartnerOrganization(input: { [name: string]: unknown }, options?: CallOptions): Promise<{ created_at: string; id: string; name: string; slug: string }>
  /**
   * Ask to link the partner's team with an organization that there is
   *
   * An admin of the organization has to confirm it; until then nobody gets in through it. A later request takes the place of this one.
   *
   * `POST /auth/partner_team/link`
   */
  requestPartnerLink(input: { organization: string }, options?: CallOptions): Promise<{ name: string; organization_id: null | string; requested_organization_id: null | string }>
  /**
   * List the organizations the caller belongs to
   *
   * With a user API key, the account password, or an organization auth token: then it is the organization of the token.
   *
   * `GET /api/v0/organizations`
   */
  listOrganizations(input: { page?: number | undefined; per_page?: number | undefined }, options?: CallOptions): Promise<{ data: { created_at: string; id: string; name: string; slug: string }[]; paging: { item_count: number; page: number; page_count: number; per_page: number; total_count: number } }>
  /**
   * Create an organization
   *
   * The caller becomes its admin. Without a `slug` one is made from the name. A user belongs to at most 100 organizations. Where only operators create organizations (`ORGANIZATION_CREATION`), the answer is 403 `permission_denied`.
   *
   * `POST /api/v0/organizations`
   */
  createOrganization(input: { name: string; slug?: string | undefined }, options?: CallOptions): Promise<{ created_at: string; id: string; name: string; slug: string }>
  /**
   * Show an organization
   *
   * `GET /api/v0/organizations/:organization`
   */
  showOrganization(input: { organization: string }, options?: CallOptions): Promise<{ created_at: string; id: string; name: string; slug: string }>
  /**
   * Rename an organization
   *
   * Changes the name, the slug, or both. The former slug redirects nobody: every gateway stops accepting it within 30 s, and it stays reserved for this organization for 30 days.
   *
   * `PATCH /api/v0/organizations/:organization`
   */
  renameOrganization(input: { name?: string | undefined; organization: string; slug?: string | undefined }, options?: CallOptions): Promise<{ created_at: string; id: string; name: string; slug: string }>
  /**
   * Delete an organization with all its projects
   *
   * For admins. Its credentials stop within a second. Its data is kept until `erase_after` (default: 7 days) and can be restored until then, with the same slug and the same credentials. Afterwards it is erased in all services. Until then devices get 503 with `Retry-After`, so they keep their key and their data. If it is deleted already, nothing changes.
   *
   * `DELETE /api/v0/organizations/:organization`
   */
  deleteOrganization(input: { organization: string }, options?: CallOptions): Promise<{ credentials_stopped_at: null | string; deleted_at: string; erase_after: string; erased_at: null | string; erasing_since: null | string; id: string; name: null | string; organization_id: string; parts: { erased: number; error: null | string; finished_at: null | string; part: "identity" | "location" | "management"; remaining: null | number; started_at: null | string }[]; project_id: null | string; slug: null | string; state: "deleted" | "erased" | "erasing" }>
  /**
   * Show the deletion of an organization and the progress of its erasure
   *
   * `GET /api/v0/organizations/:organization/deletion`
   */
  showOrganizationDeletion(input: { organization: string }, options?: CallOptions): Promise<{ credentials_stopped_at: null | string; deleted_at: string; erase_after: string; erased_at: null | string; erasing_since: null | string; id: string; name: null | string; organization_id: string; parts: { erased: number; error: null | string; finished_at: null | string; part: "identity" | "location" | "management"; remaining: null | number; started_at: null | string }[]; project_id: null | string; slug: null | string; state: "deleted" | "erased" | "erasing" }>
  /**
   * Restore a deleted organization
   *
   * For admins, before its erasure starts. Projects that were deleted before it stay deleted.
   *
   * `POST /api/v0/organizations/:organization/restore`
   */
  restoreOrganization(input: { organization: string }, options?: CallOptions): Promise<{ organization_id: string; restored_at: string; slug: string }>
  /**
   * Erase a deleted organization now
   *
   * Starts the erasure now instead of at `erase_after`. It cannot be undone. The organization or project must have been deleted before, and `slug` must be its slug, as confirmation.
   *
   * `POST /api/v0/organizations/:organization/erase`
   */
  eraseOrganization(input: { organization: string; slug: string }, options?: CallOptions): Promise<{ credentials_stopped_at: null | string; deleted_at: string; erase_after: string; erased_at: null | string; erasing_since: null | string; id: string; name: null | string; organization_id: string; parts: { erased: number; error: null | string; finished_at: null | string; part: "identity" | "location" | "management"; remaining: null | number; started_at: null | string }[]; project_id: null | string; slug: null | string; state: "deleted" | "erased" | "erasing" }>
  /**
   * List deleted organizations that the caller is an admin of, with the time of their erasure
   *
   * Latest first. Operators see all, projects and erased ones included.
   *
   * `GET /api/v0/deleted_organizations`
   */
  listDeletedOrganizations(input: { page?: number | undefined; per_page?: number | undefined }, options?: CallOptions): Promise<{ data: { credentials_stopped_at: null | string; deleted_at: string; erase_after: string; erased_at: null | string; erasing_since: null | string; id: string; name: null | string; organization_id: string; parts: { erased: number; error: null | string; finished_at: null | string; part: "identity" | "location" | "management"; remaining: null | number; started_at: null | string }[]; project_id: null | string; slug: null | string; state: "deleted" | "erased" | "erasing" }[]; paging: { item_count: number; page: number; page_count: number; per_page: number; total_count: number } }>
  /**
   * List the deleted projects of an organization, with the time of their erasure
   *
   * `GET /api/v0/organizations/:organization/deleted_projects`
   */
  listDeletedProjects(input: { organization: string; page?: number | undefined; per_page?: number | undefined }, options?: CallOptions): Promise<{ data: { credentials_stopped_at: null | string; deleted_at: string; erase_after: string; erased_at: null | string; erasing_since: null | string; id: string; name: null | string; organization_id: string; parts: { erased: number; error: null | string; finished_at: null | string; part: "identity" | "location" | "management"; remaining: null | number; started_at: null | string }[]; project_id: null | string; slug: null | string; state: "deleted" | "erased" | "erasing" }[]; paging: { item_count: number; page: number; page_count: number; per_page: number; total_count: number } }>
  /**
   * Delete a project with its devices and their data
   *
   * For admins of the organization. Its credentials stop within a second. Its data is kept until `erase_after` (default: 7 days) and can be restored until then, with the same slug and the same credentials. Afterwards it is erased in all services. Until then devices get 503 with `Retry-After`, so they keep their key and their data. If it is deleted already, nothing changes.
   *
   * `DELETE /api/v0/organizations/:organization/projects/:project_slug`
   */
  deleteProject(input: { organization: string; project_slug: string }, options?: CallOptions): Promise<{ credentials_stopped_at: null | string; deleted_at: string; erase_after: string; erased_at: null | string; erasing_since: null | string; id: string; name: null | string; organization_id: string; parts: { erased: number; error: null | string; finished_at: null | string; part: "identity" | "location" | "management"; remaining: null | number; started_at: null | string }[]; project_id: null | string; slug: null | string; state: "deleted" | "erased" | "erasing" }>
  /**
   * Show the deletion of a project and the progress of its erasure
   *
   * `GET /api/v0/organizations/:organization/projects/:project_slug/deletion`
   */
  showProjectDeletion(input: { organization: string; project_slug: string }, options?: CallOptions): Promise<{ credentials_stopped_at: null | string; deleted_at: string; erase_after: string; erased_at: null | string; erasing_since: null | string; id: string; name: null | string; organization_id: string; parts: { erased: number; error: null | string; finished_at: null | string; part: "identity" | "location" | "management"; remaining: null | number; started_at: null | string }[]; project_id: null | string; slug: null | string; state: "deleted" | "erased" | "erasing" }>
  /**
   * Restore a deleted project
   *
   * For admins of the organization, before its erasure starts.
   *
   * `POST /api/v0/organizations/:organization/projects/:project_slug/restore`
   */
  restoreProject(input: { organization: string; project_slug: string }, options?: CallOptions): Promise<{ organization_id: string; project_id: string; restored_at: string; slug: string }>
  /**
   * Erase a deleted project now
   *
   * Starts the erasure now instead of at `erase_after`. It cannot be undone. The organization or project must have been deleted before, and `slug` must be its slug, as confirmation.
   *
   * `POST /api/v0/organizations/:organization/projects/:project_slug/erase`
   */
  eraseProject(input: { organization: string; project_slug: string; slug: string }, options?: CallOptions): Promise<{ credentials_stopped_at: null | string; deleted_at: string; erase_after: string; erased_at: null | string; erasing_since: null | string; id: string; name: null | string; organization_id: string; parts: { erased: number; error: null | string; finished_at: null | string; part: "identity" | "location" | "management"; remaining: null | number; started_at: null | string }[]; project_id: null | string; slug: null | string; state: "deleted" | "erased" | "erasing" }>
  /**
   * Show devices, look-ups and data of all projects that the caller may see
   *
   * Counts of devices, chunks and files are exact. Look-ups are at most seconds old, and a process that is killed loses those of its last 2 s. Hourly counts are kept for 90 days. Projects of which the caller may not list the devices are left out.
   *
   * `GET /api/v0/organizations/:organization/overview`
   */
  showOverview(input: { organization: string; period?: "24h" | "30d" | "7d" | undefined }, options?: CallOptions): Promise<{ devices: { count: number; is_minimum: boolean; new: number; seen: number }; has_access_points: boolean; has_positions: boolean; latest_data: null | { at: string; device_serial: string; project_id: string }; lookups: { fallback: number; found: number; not_found: number; refused: number }; median_radius: null | number; period: "24h" | "30d" | "7d"; points: { at: string; chunks: { bytes: number; count: number }; devices_seen: number; files: { bytes: number; count: number }; lookups: { fallback: number; found: number; not_found: number; refused: number }; median_radius: null | number }[]; projects: { devices: number; devices_today: number; failing_webhooks: null | number; id: string; lookups: number[]; name: string; slug: string }[]; software_versions: { devices: number; software_version: null | string }[]; step: "day" | "hour" }>
  /**
   * Show what an organization uses
   *
   * Devices, stored bytes, and per day chunks, look-ups and requests by credential, in UTC. Counts are at most about a minute old and are kept for 90 days. A process that is killed loses the counts of its last minute.
   *
   * `GET /api/v0/organizations/:organization/usage`
   */
  showOrganizationUsage(input: { days?: number | undefined; organization: string }, options?: CallOptions): Promise<{ chunk_bytes_per_day: null | number; credentials: { days: { day: string; requests: number }[]; id: null | string; kind: "api_key" | "legacy_token" | "organization_token" | "other" | "password" | "project_key" | "session"; last_used_at: string; name: null | string; project_id: null | string; requests: number }[]; days: { chunks: { bytes: number; count: number }; day: string; lookups: { fallback: number; found: number; not_found: number; refused: number }; outcomes: { denied: number; failed: number; invalid: number; limited: number; ok: number }; requests: { api_key?: number | undefined; legacy_token?: number | undefined; organization_token?: number | undefined; other?: number | undefined; password?: number | undefined; project_key?: number | undefined; session?: number | undefined } }[]; devices: { count: number; limit: null | number }; from: string; projects: { count: number; limit: null | number }; stored: { chunks: { bytes: number }; files: { bytes: number; limit: null | number } }; to: string }>
  /**
   * List the projects of an organization that the caller may see
   *
   * `GET /api/v0/organizations/:organization/projects`
   */
  listProjects(input: { organization: string; page?: number | undefined; per_page?: number | undefined }, options?: CallOptions): Promise<{ data: { created_at: string; id: string; name: string; slug: string }[]; paging: { item_count: number; page: number; page_count: number; per_page: number; total_count: number } }>
  /**
   * Create a project
   *
   * It has its project key from the first moment. Without a `slug` one is made from the name.
   *
   * `POST /api/v0/organizations/:organization/projects`
   */
  createProject(input: { name: string; organization: string; slug?: string | undefined }, options?: CallOptions): Promise<{ created_at: string; id: string; name: string; slug: string }>
  /**
   * Show a project
   *
   * `GET /api/v0/organizations/:organization/projects/:project`
   */
  showProject(input: { organization: string; project: string }, options?: CallOptions): Promise<{ created_at: string; id: string; name: string; slug: string }>
  /**
   * Show devices, look-ups and data of a project
   *
   * Counts of devices, chunks and files are exact. Look-ups are at most seconds old, and a process that is killed loses those of its last 2 s. Hourly counts are kept for 90 days.
   *
   * `GET /api/v0/organizations/:organization/projects/:project/overview`
   */
  showProjectOverview(input: { organization: string; period?: "24h" | "30d" | "7d" | undefined; project: string }, options?: CallOptions): Promise<{ devices: { count: number; is_minimum: boolean; new: number; seen: number }; has_access_points: boolean; has_positions: boolean; latest_data: null | { at: string; device_serial: string; project_id: string }; lookups: { fallback: number; found: number; not_found: number; refused: number }; median_radius: null | number; period: "24h" | "30d" | "7d"; points: { at: string; chunks: { bytes: number; count: number }; devices_seen: number; files: { bytes: number; count: number }; lookups: { fallback: number; found: number; not_found: number; refused: number }; median_radius: null | number }[]; projects: { devices: number; devices_today: number; failing_webhooks: null | number; id: string; lookups: number[]; name: string; slug: string }[]; software_versions: { devices: number; software_version: null | string }[]; step: "day" | "hour" }>
  /**
   * Rename a project
   *
   * Changes the name, the slug, or both. The former slug redirects nobody: every gateway stops accepting it within 30 s, and it stays reserved for this project for 30 days.
   *
   * `PATCH /api/v0/organizations/:organization/projects/:project`
   */
  renameProject(input: { name?: string | undefined; organization: string; project: string; slug?: string | undefined }, options?: CallOptions): Promise<{ created_at: string; id: string; name: string; slug: string }>
  /**
   * List the devices of a project
   *
   * In the order of serial numbers, or, with a filter of last seen or of a version, the last seen first. Read long lists with `cursor`; with a filter or an order, `page` reaches the first 10,000 devices. Filters can be combined where an index serves them: `q` with `attribute_is`; last seen with one version. Other combinations are refused.
   *
   * `GET /api/v0/organizations/:organization/projects/:project/devices`
   */
  listDevices(input: { attribute?: string | undefined; attribute_above?: string | undefined; attribute_below?: string | undefined; attribute_is?: string | undefined; cursor?: string | undefined; hardware_version?: string | undefined; last_seen_after?: string | undefined; last_seen_before?: string | undefined; organization: string; page?: number | undefined; per_page?: number | undefined; project: string; q?: string | undefined; seen?: "ever" | "never" | undefined; silent_for?: string | undefined; software_version?: string | undefined; sort?: "-last_seen" | "-serial" | "last_seen" | "serial" | undefined; with?: "attributes" | undefined }, options?: CallOptions): Promise<{ data: { attributes?: undefined | { [name: string]: boolean | number | string }; chunk_bytes: number; chunk_count: number; device_serial: string; first_seen_at: null | string; hardware_version: null | string; id: string; last_seen_at: null | string; nickname: null | string; registered_at: null | string; sampling: { debugging?: "high" | "low" | "normal" | "off" | undefined; logging?: "high" | "low" | "normal" | "off" | undefined; monitoring?: "high" | "low" | "normal" | "off" | undefined }; software_type: null | string; software_version: null | string }[]; next: null | string; paging: { item_count: number; page: number; page_count: number; per_page: number; total_count: number; total_is_minimum?: boolean | undefined } }>
  /**
   * Register a device before it has sent anything
   *
   * Needed only where the data policy of the project lets known devices alone send. Doing it again changes nothing but what is said of the device.
   *
   * `POST /api/v0/organizations/:organization/projects/:project/devices`
   */
  registerDevice(input: { device_serial: string; hardware_version?: null | string | undefined; organization: string; project: string; software_type?: null | string | undefined; software_version?: null | string | undefined }, options?: CallOptions): Promise<{ attributes?: undefined | { [name: string]: boolean | number | string }; chunk_bytes: number; chunk_count: number; device_serial: string; first_seen_at: null | string; hardware_version: null | string; id: string; last_seen_at: null | string; nickname: null | string; registered_at: null | string; sampling: { debugging?: "high" | "low" | "normal" | "off" | undefined; logging?: "high" | "low" | "normal" | "off" | undefined; monitoring?: "high" | "low" | "normal" | "off" | undefined }; software_type: null | string; software_version: null | string }>
  /**
   * Show a device
   *
   * `GET /api/v0/organizations/:organization/projects/:project/devices/:device_serial`
   */
  showDevice(input: { device_serial: string; organization: string; project: string }, options?: CallOptions): Promise<{ attributes?: undefined | { [name: string]: boolean | number | string }; chunk_bytes: number; chunk_count: number; device_serial: string; first_seen_at: null | string; hardware_version: null | string; id: string; last_seen_at: null | string; nickname: null | string; registered_at: null | string; sampling: { debugging?: "high" | "low" | "normal" | "off" | undefined; logging?: "high" | "low" | "normal" | "off" | undefined; monitoring?: "high" | "low" | "normal" | "off" | undefined }; software_type: null | string; software_version: null | string }>
  /**
   * Show the chunks of a device, by hour or day
   *
   * Counts chunks that are stored: of those that the retention has deleted there is no count. At most the last 20000 are counted.
   *
   * `GET /api/v0/organizations/:organization/projects/:project/devices/:device_serial/usage`
   */
  showDeviceUsage(input: { device_serial: string; organization: string; period?: "24h" | "30d" | "7d" | undefined; project: string }, options?: CallOptions): Promise<{ points: { at: string; chunks: { bytes: number; count: number } }[]; step: "day" | "hour" }>
  /**
   * Delete a device and everything that it has sent, and where it was
   *
   * What it has sent and is still on its way is deleted too. The reply counts what was deleted, and what is left, which is nothing. Where it sends again later, it is a new device.
   *
   * `DELETE /api/v0/organizations/:organization/projects/:project/devices/:device_serial`
   */
  deleteDevice(input: { device_serial: string; organization: string; project: string }, options?: CallOptions): Promise<{ deleted: { bytes: number; chunks: number; dead_letters: number; files: number; positions: number }; deleted_at: string; device_serial: string; left: { chunks: number; dead_letters: number; devices: number; files: number; positions: number } }>
  /**
   * Set the nickname and attributes of a device
   *
   * Fields and attributes that are missing do not change; null removes a value.
   *
   * `PATCH /api/v0/organizations/:organization/projects/:project/devices/:device_serial`
   */
  changeDevice(input: { attributes?: undefined | { [name: string]: boolean | null | number | string }; device_serial: string; nickname?: null | string | undefined; organization: string; project: string }, options?: CallOptions): Promise<{ attributes?: undefined | { [name: string]: boolean | number | string }; chunk_bytes: number; chunk_count: number; device_serial: string; first_seen_at: null | string; hardware_version: null | string; id: string; last_seen_at: null | string; nickname: null | string; registered_at: null | string; sampling: { debugging?: "high" | "low" | "normal" | "off" | undefined; logging?: "high" | "low" | "normal" | "off" | undefined; monitoring?: "high" | "low" | "normal" | "off" | undefined }; software_type: null | string; software_version: null | string }>
  /**
   * Register devices, and set their nicknames and attributes, up to 500 in a request
   *
   * The result has one outcome for each device, in the order of the request; a device that fails does not affect the others. Unknown devices are registered. A repeated request changes nothing. With `dry_run`, nothing changes and the outcomes say what would.
   *
   * `POST /api/v0/organizations/:organization/projects/:project/devices/import`
   */
  importDevices(input: { devices: { attributes?: undefined | { [name: string]: boolean | null | number | string }; device_serial: string; nickname?: null | string | undefined }[]; dry_run?: boolean | undefined; organization: string; project: string }, options?: CallOptions): Promise<{ data: { changes: string[]; device_serial: string; error?: string | undefined; outcome: "changed" | "created" | "failed" | "unchanged" }[] }>
  /**
   * Preview the deletion of all devices that match a filter
   *
   * The reply has the number of devices, the first 20, and a token for the deletion with the same filter. The token is valid for an hour. `silent_for` is fixed at the time of the preview.
   *
   * `POST /api/v0/organizations/:organization/projects/:project/device-deletions/preview`
   */
  previewDeviceDeletion(input: { attribute?: string | undefined; attribute_above?: string | undefined; attribute_below?: string | undefined; attribute_is?: string | undefined; hardware_version?: string | undefined; last_seen_after?: string | undefined; last_seen_before?: string | undefined; organization: string; project: string; q?: string | undefined; seen?: "ever" | "never" | undefined; silent_for?: string | undefined; software_version?: string | undefined }, options?: CallOptions): Promise<{ count: number; devices: { attributes?: undefined | { [name: string]: boolean | number | string }; chunk_bytes: number; chunk_count: number; device_serial: string; first_seen_at: null | string; hardware_version: null | string; id: string; last_seen_at: null | string; nickname: null | string; registered_at: null | string; sampling: { debugging?: "high" | "low" | "normal" | "off" | undefined; logging?: "high" | "low" | "normal" | "off" | undefined; monitoring?: "high" | "low" | "normal" | "off" | undefined }; software_type: null | string; software_version: null | string }[]; token: string }>
  /**
   * Delete all devices that match a filter, with all their data
   *
   * Requires the token of a preview of the same filter. If more devices match than the preview counted, nothing is deleted. The deletion runs in the background; a device that no longer matches when its turn comes is kept.
   *
   * `POST /api/v0/organizations/:organization/projects/:project/device-deletions`
   */
  deleteDevices(input: { attribute?: string | undefined; attribute_above?: string | undefined; attribute_below?: string | undefined; attribute_is?: string | undefined; hardware_version?: string | undefined; last_seen_after?: string | undefined; last_seen_before?: string | undefined; organization: string; project: string; q?: string | undefined; seen?: "ever" | "never" | undefined; silent_for?: string | undefined; software_version?: string | undefined; token: string }, options?: CallOptions): Promise<{ created_at: string; deleted: number; finished_at: null | string; id: string; state: "done" | "running" | "stopped"; total: number }>
  /**
   * Show the progress of a deletion of many devices
   *
   * `GET /api/v0/organizations/:organization/projects/:project/device-deletions/:deletion_id`
   */
  showDeviceDeletion(input: { deletion_id: string; organization: string; project: string }, options?: CallOptions): Promise<{ created_at: string; deleted: number; finished_at: null | string; id: string; state: "done" | "running" | "stopped"; total: number }>
  /**
   * Stop a deletion of many devices
   *
   * Devices that were deleted stay deleted. Stopping it again changes nothing.
   *
   * `POST /api/v0/organizations/:organization/projects/:project/device-deletions/:deletion_id/stop`
   */
  stopDeviceDeletion(input: { deletion_id: string; organization: string; project: string }, options?: CallOptions): Promise<{ created_at: string; deleted: number; finished_at: null | string; id: string; state: "done" | "running" | "stopped"; total: number }>
  /**
   * List the attributes that a project has declared for its devices
   *
   * In the order of names; at most 64.
   *
   * `GET /api/v0/organizations/:organization/projects/:project/device-attributes`
   */
  listAttributes(input: { organization: string; page?: number | undefined; per_page?: number | undefined; project: string }, options?: CallOptions): Promise<{ data: { created_at: string; name: string; type: "boolean" | "number" | "string" | "time" }[]; paging: { item_count: number; page: number; page_count: number; per_page: number; total_count: number } }>
  /**
   * Declare an attribute for the devices of a project
   *
   * Declaring it again with the same type changes nothing. To change the type, delete the attribute first. A project can declare 64.
   *
   * `PUT /api/v0/organizations/:organization/projects/:project/device-attributes/:attribute`
   */
  declareAttribute(input: { attribute: string; organization: string; project: string; type: "boolean" | "number" | "string" | "time" }, options?: CallOptions): Promise<{ created_at: string; name: string; type: "boolean" | "number" | "string" | "time" }>
  /**
   * Delete an attribute and its values from all devices of a project
   *
   * The values are invisible immediately and are deleted in the background.
   *
   * `DELETE /api/v0/organizations/:organization/projects/:project/device-attributes/:attribute`
   */
  deleteAttribute(input: { attribute: string; organization: string; project: string }, options?: CallOptions): Promise<{ [name: string]: never }>
  /**
   * Count the devices that do not prove who they are
   *
   * Compares the devices that sent data within 30 days with the keys that were used within 30 days. The rest would be refused if the project required device identity. Devices that only ask for positions are not counted.
   *
   * `GET /api/v0/organizations/:organization/projects/:project/device_identity`
   */
  showDeviceIdentity(input: { organization: string; project: string }, options?: CallOptions): Promise<{ days: { day: string; devices: number }[]; proven: number; seen: number; without_proof: number }>
  /**
   * Set what one device may send
   *
   * An aspect that is absent or null follows the data policy of the project. Linux devices ask about once an hour.
   *
   * `PUT /api/v0/organizations/:organization/projects/:project/devices/:device_serial/sampling`
   */
  setDeviceSampling(input: { debugging?: "high" | "low" | "normal" | "off" | null | undefined; device_serial: string; logging?: "high" | "low" | "normal" | "off" | null | undefined; monitoring?: "high" | "low" | "normal" | "off" | null | undefined; organization: string; project: string }, options?: CallOptions): Promise<{ attributes?: undefined | { [name: string]: boolean | number | string }; chunk_bytes: number; chunk_count: number; device_serial: string; first_seen_at: null | string; hardware_version: null | string; id: string; last_seen_at: null | string; nickname: null | string; registered_at: null | string; sampling: { debugging?: "high" | "low" | "normal" | "off" | undefined; logging?: "high" | "low" | "normal" | "off" | undefined; monitoring?: "high" | "low" | "normal" | "off" | undefined }; software_type: null | string; software_version: null | string }>
  /**
   * Return what a device may send
   *
   * For agents of Linux devices, with a project key. Until they get an answer, they send nothing. Sampling of the device replaces that of its project (default: `normal`).
   *
   * `POST /api/v0/device-config`
   */
  readDeviceConfig(input: { device?: undefined | { device_serial?: null | string | undefined; [name: string]: unknown }; organization: string; project: string }, options?: CallOptions): Promise<{ completed: number; config: { memfault: { sampling: { "debugging.resolution": "high" | "low" | "normal" | "off"; "logging.resolution": "high" | "low" | "normal" | "off"; "monitoring.resolution": "high" | "low" | "normal" | "off" } } }; revision: number }>
  /**
   * List the chunks of a device, in the order in which it has sent them
   *
   * `GET /api/v0/organizations/:organization/projects/:project/devices/:device_serial/chunks`
   */
  listChunks(input: { device_serial: string; organization: string; page?: number | undefined; per_page?: number | undefined; project: string }, options?: CallOptions): Promise<{ data: { id: string; received_at: string; size: number }[]; paging: { item_count: number; page: number; page_count: number; per_page: number; total_count: number } }>
  /**
   * Download a chunk as the device has sent it
   *
   * Over HTTP the reply is the bytes themselves, as `application/octet-stream`.
   *
   * `GET /api/v0/organizations/:organization/projects/:project/devices/:device_serial/chunks/:chunk_id`
   */
  readChunk(input: { chunk_id: string; device_serial: string; organization: string; project: string }, options?: CallOptions): Promise<{ content: string }>
  /**
   * Read what all devices of a project have sent
   *
   * Chunks and files, each on its own line, in the order in which they were stored: the order of each device, across all devices. The reply ends when everything that is stored has been read. Continue with the `cursor` of the last line in `after`: restarts, upgrades and retention do not change cursors, and nothing is skipped or repeated. Data that was deleted before it was read is left out.
   *
   * `GET /api/v0/organizations/:organization/projects/:project/data`
   */
  readData(input: { after?: string | undefined; cursor?: string | undefined; kinds?: string | undefined; organization: string; payloads?: "inline" | "none" | undefined; project: string; since?: string | undefined; wait?: string | undefined }, options?: CallOptions): Promise<{ data: ({ at: string; cursor: string; data: null | string; device_serial: string; id: string; kind: "chunk"; size: number } | { at: string; cursor: string; device_serial: null | string; file_kind: string; id: string; kind: "file"; name: null | string; sha256: null | string; size: number })[]; next: null | string }>
  /**
   * Show what a project allows its devices to send, and how long it is kept
   *
   * `GET /api/v0/organizations/:organization/projects/:project/data_policy`
   */
  showDataPolicy(input: { organization: string; project: string }, options?: CallOptions): Promise<{ bytes_per_day: null | number; device_requests_per_minute: null | number; file_bytes: { bugreport?: number | undefined; coredump?: number | undefined; "custom-data-recording"?: number | undefined; elf_coredump?: number | undefined; mar?: number | undefined; symbols?: number | undefined }; file_retention_days: { bugreport?: number | undefined; coredump?: number | undefined; "custom-data-recording"?: number | undefined; elf_coredump?: number | undefined; mar?: number | undefined; symbols?: number | undefined }; files_bytes: null | number; known_devices_only: boolean; requests_per_minute: null | number; retention_days: null | number; sampling: { debugging: "high" | "low" | "normal" | "off"; logging: "high" | "low" | "normal" | "off"; monitoring: "high" | "low" | "normal" | "off" } }>
  /**
   * Change what a project allows its devices to send, and how long it is kept
   *
   * Every gateway applies it within a second. Over a quota, devices receive 503 with `Retry-After`. Each gateway counts quotas itself, and they fail open: if a gateway cannot fetch them again, it applies the last known policy.
   *
   * `PUT /api/v0/organizations/:organization/projects/:project/data_policy`
   */
  changeDataPolicy(input: { bytes_per_day: null | number; device_requests_per_minute: null | number; file_bytes?: undefined | { bugreport?: number | undefined; coredump?: number | undefined; "custom-data-recording"?: number | undefined; elf_coredump?: number | undefined; mar?: number | undefined; symbols?: number | undefined }; file_retention_days?: undefined | { bugreport?: number | undefined; coredump?: number | undefined; "custom-data-recording"?: number | undefined; elf_coredump?: number | undefined; mar?: number | undefined; symbols?: number | undefined }; files_bytes?: null | number | undefined; known_devices_only: boolean; organization: string; project: string; requests_per_minute: null | number; retention_days: null | number; sampling?: undefined | { debugging?: "high" | "low" | "normal" | "off" | undefined; logging?: "high" | "low" | "normal" | "off" | undefined; monitoring?: "high" | "low" | "normal" | "off" | undefined } }, options?: CallOptions): Promise<{ bytes_per_day: null | number; device_requests_per_minute: null | number; file_bytes: { bugreport?: number | undefined; coredump?: number | undefined; "custom-data-recording"?: number | undefined; elf_coredump?: number | undefined; mar?: number | undefined; symbols?: number | undefined }; file_retention_days: { bugreport?: number | undefined; coredump?: number | undefined; "custom-data-recording"?: number | undefined; elf_coredump?: number | undefined; mar?: number | undefined; symbols?: number | undefined }; files_bytes: null | number; known_devices_only: boolean; requests_per_minute: null | number; retention_days: null | number; sampling: { debugging: "high" | "low" | "normal" | "off"; logging: "high" | "low" | "normal" | "off"; monitoring: "high" | "low" | "normal" | "off" } }>
  /**
   * Ask for a newer release
   *
   * For devices that check for updates. Bearing serves no updates, so it answers 204, which clients read as "up to date".
   *
   * `GET /api/v0/releases/latest`
   */
  findLatestRelease(input: { organization: string; project: string }, options?: CallOptions): Promise<null>
  /**
   * Ask for a newer release
   *
   * For devices that check for updates. Bearing serves no updates, so it answers 204, which clients read as "up to date".
   *
   * `GET /api/v0/releases/latest/url`
   */
  findLatestReleaseUrl(input: { organization: string; project: string }, options?: CallOptions): Promise<null>
  /**
   * Send chunks of a device
   *
   * For devices, with a project key. The body is one chunk (`application/octet-stream`) or up to 1000 (`multipart/mixed`), also in base64 (`Content-Encoding: base64`). 202 says that they are stored on disk. A request that is repeated with the same `Idempotency-Key` is stored once.
   *
   * `POST /api/v0/chunks/:device_serial`
   */
  sendChunks(input: { device_serial: string; hardware_version?: null | string | undefined; software_type?: null | string | undefined; software_version?: null | string | undefined }, options?: CallOptions): Promise<{ chunks: number }>
  /**
   * Prepare an upload
   *
   * Put the bytes to `upload_url`, which needs no credential and works for some minutes, with `Content-Encoding: gzip` where they are compressed; then commit them with the `token`. If an upload is interrupted, begin again.
   *
   * `POST /api/v0/upload`
   */
  prepareDeviceUpload(input: { device?: undefined | { device_serial?: null | string | undefined; [name: string]: unknown }; kind?: string | undefined; organization: string; project: string; size?: number | undefined }, options?: CallOptions): Promise<{ token: string; upload_url: string }>
  /**
   * Commit an upload as a file of a device
   *
   * Idempotent: a commit with the same content and the same attributes returns the same file. The same content with other attributes, for example of another device or time, is another file. Everything beside `file` is kept with the file. One upload cannot be committed twice with different attributes (409).
   *
   * `POST /api/v0/upload/coredump`
   */
  commitDeviceCoredump(input: { device?: undefined | { device_serial?: null | string | undefined; [name: string]: unknown }; file: { md5?: string | undefined; name?: null | string | undefined; token: string; [name: string]: unknown }; kind: "bugreport" | "coredump" | "custom-data-recording" | "elf_coredump" | "mar"; organization: string; project: string; [name: string]: unknown }, options?: CallOptions): Promise<{ created_at: string; device_serial: null | string; duration_secs: null | number; gnu_build_id: null | string; hardware_version: null | string; id: string; kind: "bugreport" | "coredump" | "custom-data-recording" | "elf_coredump" | "mar" | "symbols"; mimetypes: string[]; name: null | string; reason: null | string; sha256: string; size: number; software_type: null | string; software_version: null | string; start_time: null | string }>
  /**
   * Commit an upload as a file of a device
   *
   * Idempotent: a commit with the same content and the same attributes returns the same file. The same content with other attributes, for example of another device or time, is another file. Everything beside `file` is kept with the file. One upload cannot be committed twice with different attributes (409).
   *
   * `POST /api/v0/upload/elf_coredump`
   */
  commitDeviceElfCoredump(input: { device?: undefined | { device_serial?: null | string | undefined; [name: string]: unknown }; file: { md5?: string | undefined; name?: null | string | undefined; token: string; [name: string]: unknown }; kind: "bugreport" | "coredump" | "custom-data-recording" | "elf_coredump" | "mar"; organization: string; project: string; [name: string]: unknown }, options?: CallOptions): Promise<{ created_at: string; device_serial: null | string; duration_secs: null | number; gnu_build_id: null | string; hardware_version: null | string; id: string; kind: "bugreport" | "coredump" | "custom-data-recording" | "elf_coredump" | "mar" | "symbols"; mimetypes: string[]; name: null | string; reason: null | string; sha256: string; size: number; software_type: null | string; software_version: null | string; start_time: null | string }>
  /**
   * Commit an upload as a file of a device
   *
   * Idempotent: a commit with the same content and the same attributes returns the same file. The same content with other attributes, for example of another device or time, is another file. Everything beside `file` is kept with the file. One upload cannot be committed twice with different attributes (409).
   *
   * `POST /api/v0/upload/bugreport`
   */
  commitDeviceBugreport(input: { device?: undefined | { device_serial?: null | string | undefined; [name: string]: unknown }; file: { md5?: string | undefined; name?: null | string | undefined; token: string; [name: string]: unknown }; kind: "bugreport" | "coredump" | "custom-data-recording" | "elf_coredump" | "mar"; organization: string; project: string; [name: string]: unknown }, options?: CallOptions): Promise<{ created_at: string; device_serial: null | string; duration_secs: null | number; gnu_build_id: null | string; hardware_version: null | string; id: string; kind: "bugreport" | "coredump" | "custom-data-recording" | "elf_coredump" | "mar" | "symbols"; mimetypes: string[]; name: null | string; reason: null | string; sha256: string; size: number; software_type: null | string; software_version: null | string; start_time: null | string }>
  /**
   * Commit an upload as a file of a device
   *
   * Idempotent: a commit with the same content and the same attributes returns the same file. The same content with other attributes, for example of another device or time, is another file. Everything beside `file` is kept with the file. One upload cannot be committed twice with different attributes (409).
   *
   * `POST /api/v0/upload/mar`
   */
  commitDeviceMar(input: { device?: undefined | { device_serial?: null | string | undefined; [name: string]: unknown }; file: { md5?: string | undefined; name?: null | string | undefined; token: string; [name: string]: unknown }; kind: "bugreport" | "coredump" | "custom-data-recording" | "elf_coredump" | "mar"; organization: string; project: string; [name: string]: unknown }, options?: CallOptions): Promise<{ created_at: string; device_serial: null | string; duration_secs: null | number; gnu_build_id: null | string; hardware_version: null | string; id: string; kind: "bugreport" | "coredump" | "custom-data-recording" | "elf_coredump" | "mar" | "symbols"; mimetypes: string[]; name: null | string; reason: null | string; sha256: string; size: number; software_type: null | string; software_version: null | string; start_time: null | string }>
  /**
   * Commit an upload as a file of a device
   *
   * Idempotent: a commit with the same content and the same attributes returns the same file. The same content with other attributes, for example of another device or time, is another file. Everything beside `file` is kept with the file. One upload cannot be committed twice with different attributes (409).
   *
   * `POST /api/v0/upload/custom-data-recording`
   */
  commitDeviceRecording(input: { device?: undefined | { device_serial?: null | string | undefined; [name: string]: unknown }; file: { md5?: string | undefined; name?: null | string | undefined; token: string; [name: string]: unknown }; kind: "bugreport" | "coredump" | "custom-data-recording" | "elf_coredump" | "mar"; organization: string; project: string; [name: string]: unknown }, options?: CallOptions): Promise<{ created_at: string; device_serial: null | string; duration_secs: null | number; gnu_build_id: null | string; hardware_version: null | string; id: string; kind: "bugreport" | "coredump" | "custom-data-recording" | "elf_coredump" | "mar" | "symbols"; mimetypes: string[]; name: null | string; reason: null | string; sha256: string; size: number; software_type: null | string; software_version: null | string; start_time: null | string }>
  /**
   * Put the bytes of an upload
   *
   * To the address that `upload_url` is: its last part is the proof that the caller may, so that no credential is asked for or looked at. The body is the bytes as they are, or compressed with `Content-Encoding: gzip`. Putting them again replaces them, as long as they are not committed.
   *
   * `PUT /api/v0/uploads/:upload_token`
   */
  receiveUpload(input: { md5: string; object_id: string; sent_md5: string; sent_size: number; sequences: number[]; sha256: string; size: number; upload_token: string }, options?: CallOptions): Promise<{ [name: string]: never }>
  /**
   * Prepare an upload
   *
   * Put the bytes to `upload_url`, which needs no credential and works for some minutes, with `Content-Encoding: gzip` where they are compressed; then commit them with the `token`. If an upload is interrupted, begin again.
   *
   * `POST /api/v0/organizations/:organization/projects/:project/upload`
   */
  prepareUpload(input: { device?: undefined | { device_serial?: null | string | undefined; [name: string]: unknown }; kind?: string | undefined; organization: string; project: string; size?: number | undefined }, options?: CallOptions): Promise<{ token: string; upload_url: string }>
  /**
   * Commit an upload as a file of a device
   *
   * Idempotent: a commit with the same content and the same attributes returns the same file. The same content with other attributes, for example of another device or time, is another file. Everything beside `file` is kept with the file. One upload cannot be committed twice with different attributes (409).
   *
   * `POST /api/v0/organizations/:organization/projects/:project/coredumps`
   */
  commitCoredump(input: { device?: undefined | { device_serial?: null | string | undefined; [name: string]: unknown }; file: { md5?: string | undefined; name?: null | string | undefined; token: string; [name: string]: unknown }; kind: "bugreport" | "coredump" | "custom-data-recording" | "elf_coredump" | "mar"; organization: string; project: string; [name: string]: unknown }, options?: CallOptions): Promise<{ created_at: string; device_serial: null | string; duration_secs: null | number; gnu_build_id: null | string; hardware_version: null | string; id: string; kind: "bugreport" | "coredump" | "custom-data-recording" | "elf_coredump" | "mar" | "symbols"; mimetypes: string[]; name: null | string; reason: null | string; sha256: string; size: number; software_type: null | string; software_version: null | string; start_time: null | string }>
  /**
   * Commit an upload as a file of a device
   *
   * Idempotent: a commit with the same content and the same attributes returns the same file. The same content with other attributes, for example of another device or time, is another file. Everything beside `file` is kept with the file. One upload cannot be committed twice with different attributes (409).
   *
   * `POST /api/v0/organizations/:organization/projects/:project/elf_coredumps`
   */
  commitElfCoredump(input: { device?: undefined | { device_serial?: null | string | undefined; [name: string]: unknown }; file: { md5?: string | undefined; name?: null | string | undefined; token: string; [name: string]: unknown }; kind: "bugreport" | "coredump" | "custom-data-recording" | "elf_coredump" | "mar"; organization: string; project: string; [name: string]: unknown }, options?: CallOptions): Promise<{ created_at: string; device_serial: null | string; duration_secs: null | number; gnu_build_id: null | string; hardware_version: null | string; id: string; kind: "bugreport" | "coredump" | "custom-data-recording" | "elf_coredump" | "mar" | "symbols"; mimetypes: string[]; name: null | string; reason: null | string; sha256: string; size: number; software_type: null | string; software_version: null | string; start_time: null | string }>
  /**
   * Commit an upload as a file of a device
   *
   * Idempotent: a commit with the same content and the same attributes returns the same file. The same content with other attributes, for example of another device or time, is another file. Everything beside `file` is kept with the file. One upload cannot be committed twice with different attributes (409).
   *
   * `POST /api/v0/organizations/:organization/projects/:project/bugreports`
   */
  commitBugreport(input: { device?: undefined | { device_serial?: null | string | undefined; [name: string]: unknown }; file: { md5?: string | undefined; name?: null | string | undefined; token: string; [name: string]: unknown }; kind: "bugreport" | "coredump" | "custom-data-recording" | "elf_coredump" | "mar"; organization: string; project: string; [name: string]: unknown }, options?: CallOptions): Promise<{ created_at: string; device_serial: null | string; duration_secs: null | number; gnu_build_id: null | string; hardware_version: null | string; id: string; kind: "bugreport" | "coredump" | "custom-data-recording" | "elf_coredump" | "mar" | "symbols"; mimetypes: string[]; name: null | string; reason: null | string; sha256: string; size: number; software_type: null | string; software_version: null | string; start_time: null | string }>
  /**
   * Commit an upload as a file of a device
   *
   * Idempotent: a commit with the same content and the same attributes returns the same file. The same content with other attributes, for example of another device or time, is another file. Everything beside `file` is kept with the file. One upload cannot be committed twice with different attributes (409).
   *
   * `POST /api/v0/organizations/:organization/projects/:project/mar`
   */
  commitMar(input: { device?: undefined | { device_serial?: null | string | undefined; [name: string]: unknown }; file: { md5?: string | undefined; name?: null | string | undefined; token: string; [name: string]: unknown }; kind: "bugreport" | "coredump" | "custom-data-recording" | "elf_coredump" | "mar"; organization: string; project: string; [name: string]: unknown }, options?: CallOptions): Promise<{ created_at: string; device_serial: null | string; duration_secs: null | number; gnu_build_id: null | string; hardware_version: null | string; id: string; kind: "bugreport" | "coredump" | "custom-data-recording" | "elf_coredump" | "mar" | "symbols"; mimetypes: string[]; name: null | string; reason: null | string; sha256: string; size: number; software_type: null | string; software_version: null | string; start_time: null | string }>
  /**
   * Commit an upload as a file of a device
   *
   * Idempotent: a commit with the same content and the same attributes returns the same file. The same content with other attributes, for example of another device or time, is another file. Everything beside `file` is kept with the file. One upload cannot be committed twice with different attributes (409).
   *
   * `POST /api/v0/organizations/:organization/projects/:project/custom-data-recordings`
   */
  commitRecording(input: { device?: undefined | { device_serial?: null | string | undefined; [name: string]: unknown }; file: { md5?: string | undefined; name?: null | string | undefined; token: string; [name: string]: unknown }; kind: "bugreport" | "coredump" | "custom-data-recording" | "elf_coredump" | "mar"; organization: string; project: string; [name: string]: unknown }, options?: CallOptions): Promise<{ created_at: string; device_serial: null | string; duration_secs: null | number; gnu_build_id: null | string; hardware_version: null | string; id: string; kind: "bugreport" | "coredump" | "custom-data-recording" | "elf_coredump" | "mar" | "symbols"; mimetypes: string[]; name: null | string; reason: null | string; sha256: string; size: number; software_type: null | string; software_version: null | string; start_time: null | string }>
  /**
   * Commit an upload as a file of a device
   *
   * Idempotent: a commit with the same content and the same attributes returns the same file. The same content with other attributes, for example of another device or time, is another file. Everything beside `file` is kept with the file. One upload cannot be committed twice with different attributes (409).
   *
   * `POST /api/v0/organizations/:organization/projects/:project/custom-data-recording`
   */
  commitRecordingSingular(input: { device?: undefined | { device_serial?: null | string | undefined; [name: string]: unknown }; file: { md5?: string | undefined; name?: null | string | undefined; token: string; [name: string]: unknown }; kind: "bugreport" | "coredump" | "custom-data-recording" | "elf_coredump" | "mar"; organization: string; project: string; [name: string]: unknown }, options?: CallOptions): Promise<{ created_at: string; device_serial: null | string; duration_secs: null | number; gnu_build_id: null | string; hardware_version: null | string; id: string; kind: "bugreport" | "coredump" | "custom-data-recording" | "elf_coredump" | "mar" | "symbols"; mimetypes: string[]; name: null | string; reason: null | string; sha256: string; size: number; software_type: null | string; software_version: null | string; start_time: null | string }>
  /**
   * Commit an upload as symbols
   *
   * An ELF file with a GNU build id or the build id of the firmware SDK, by which it is found; or with `software_version: { version, software_type }` an ELF file without a build id, or a ProGuard mapping. Otherwise like every commit.
   *
   * `POST /api/v0/organizations/:organization/projects/:project/symbols`
   */
  commitSymbols(input: { device?: undefined | { device_serial?: null | string | undefined; [name: string]: unknown }; file: { md5?: string | undefined; name?: null | string | undefined; token: string; [name: string]: unknown }; organization: string; project: string; [name: string]: unknown }, options?: CallOptions): Promise<{ created_at: string; device_serial: null | string; duration_secs: null | number; gnu_build_id: null | string; hardware_version: null | string; id: string; kind: "bugreport" | "coredump" | "custom-data-recording" | "elf_coredump" | "mar" | "symbols"; mimetypes: string[]; name: null | string; reason: null | string; sha256: string; size: number; software_type: null | string; software_version: null | string; start_time: null | string }>
  /**
   * Find symbols by their GNU build id
   *
   * `HEAD` says whether they are there, and so need not be uploaded.
   *
   * `GET /api/v0/organizations/:organization/projects/:project/symbols-by-gnu-build-id/:gnu_build_id`
   */
  findSymbols(input: { gnu_build_id: string; organization: string; project: string }, options?: CallOptions): Promise<{ created_at: string; device_serial: null | string; duration_secs: null | number; gnu_build_id: null | string; hardware_version: null | string; id: string; kind: "bugreport" | "coredump" | "custom-data-recording" | "elf_coredump" | "mar" | "symbols"; mimetypes: string[]; name: null | string; reason: null | string; sha256: string; size: number; software_type: null | string; software_version: null | string; start_time: null | string }>
  /**
   * List the files of a project
   *
   * The newest first. With `sha256`, those with this content: what is there need not be uploaded.
   *
   * `GET /api/v0/organizations/:organization/projects/:project/files`
   */
  listFiles(input: { device_serial?: string | undefined; kind?: "bugreport" | "coredump" | "custom-data-recording" | "elf_coredump" | "mar" | "symbols" | undefined; organization: string; page?: number | undefined; per_page?: number | undefined; project: string; sha256?: string | undefined; software_type?: string | undefined; software_version?: string | undefined }, options?: CallOptions): Promise<{ data: { created_at: string; device_serial: null | string; duration_secs: null | number; gnu_build_id: null | string; hardware_version: null | string; id: string; kind: "bugreport" | "coredump" | "custom-data-recording" | "elf_coredump" | "mar" | "symbols"; mimetypes: string[]; name: null | string; reason: null | string; sha256: string; size: number; software_type: null | string; software_version: null | string; start_time: null | string }[]; paging: { item_count: number; page: number; page_count: number; per_page: number; total_count: number } }>
  /**
   * Show a file
   *
   * `GET /api/v0/organizations/:organization/projects/:project/files/:file_id`
   */
  showFile(input: { file_id: string; organization: string; project: string }, options?: CallOptions): Promise<{ attributes: { [name: string]: unknown }; created_at: string; device_serial: null | string; duration_secs: null | number; gnu_build_id: null | string; hardware_version: null | string; id: string; kind: "bugreport" | "coredump" | "custom-data-recording" | "elf_coredump" | "mar" | "symbols"; mimetypes: string[]; name: null | string; reason: null | string; sha256: string; size: number; software_type: null | string; software_version: null | string; start_time: null | string }>
  /**
   * Delete a file
   *
   * Its bytes go with the next sweep of uploads, unless another file of the project has the same. A repeated commit does not bring it back.
   *
   * `DELETE /api/v0/organizations/:organization/projects/:project/files/:file_id`
   */
  deleteFile(input: { file_id: string; organization: string; project: string }, options?: CallOptions): Promise<{ [name: string]: never }>
  /**
   * Download a file
   *
   * The reply is its bytes, as `application/octet-stream`. Where files are kept in S3 it is 302, to an address there that works for some minutes.
   *
   * `GET /api/v0/organizations/:organization/projects/:project/files/:file_id/download`
   */
  downloadFile(input: { file_id: string; offset?: number | undefined; organization: string; project: string }, options?: CallOptions): Promise<{ address: null | string; data: string; kind: "bugreport" | "coredump" | "custom-data-recording" | "elf_coredump" | "mar" | "symbols"; size: number }>
  /**
   * List the coredumps of a project
   *
   * Those of kind `coredump` and `elf_coredump`, the newest first.
   *
   * `GET /api/v0/organizations/:organization/projects/:project/coredumps`
   */
  listCoredumps(input: { device_serial?: string | undefined; organization: string; page?: number | undefined; per_page?: number | undefined; project: string }, options?: CallOptions): Promise<{ data: { created_at: string; device_serial: null | string; duration_secs: null | number; gnu_build_id: null | string; hardware_version: null | string; id: string; kind: "bugreport" | "coredump" | "custom-data-recording" | "elf_coredump" | "mar" | "symbols"; mimetypes: string[]; name: null | string; reason: null | string; sha256: string; size: number; software_type: null | string; software_version: null | string; start_time: null | string }[]; paging: { item_count: number; page: number; page_count: number; per_page: number; total_count: number } }>
  /**
   * List the webhooks of a project
   *
   * `GET /api/v0/organizations/:organization/projects/:project/webhooks`
   */
  listWebhooks(input: { organization: string; page?: number | undefined; per_page?: number | undefined; project: string }, options?: CallOptions): Promise<{ data: { created_at: string; description: null | string; events: string[]; failing_since: null | string; id: string; kind: "device_api" | "ndjson" | "s3" | "syslog" | "webhook"; paused_at: null | string; paused_reason: "by_user" | "failing" | "gone" | null; previous_secret_until: null | string; state: "active" | "failing" | "paused"; url: string }[]; paging: { item_count: number; page: number; page_count: number; per_page: number; total_count: number } }>
  /**
   * Have the events of a project sent to an address
   *
   * Deliveries are signed as Standard Webhooks specifies, with the secret in this reply, which is shown only once. The default of `events` leaves out `device.location_resolved`, which reveals where devices are, and `device.data_stored`, which has what they send, and needs `device-data:read`.
   *
   * `POST /api/v0/organizations/:organization/projects/:project/webhooks`
   */
  createWebhook(input: { description?: null | string | undefined; destination?: undefined | { access_key_id: string; format?: "json" | "ocsf" | undefined; kind: "s3"; object_lock_days?: number | undefined; region: string; secret_access_key: string; source?: "audit_log" | "device_data" | undefined } | { ca_certificate?: string | undefined; format?: "json" | "ocsf" | undefined; kind: "syslog" } | { format?: "json" | "ocsf" | undefined; kind: "ndjson"; source?: "audit_log" | "device_data" | undefined } | { kind: "device_api"; project_key: string; project_key_header?: string | undefined }; events?: ("coredump.uploaded" | "device.claimed" | "device.data_stored" | "device.first_seen" | "device.key_revoked" | "device.location_resolved" | "organization_token.expiring")[] | undefined; idempotency_key?: null | string | undefined; organization: string; project: string; url: string }, options?: CallOptions): Promise<{ created_at: string; description: null | string; events: string[]; failing_since: null | string; id: string; kind: "device_api" | "ndjson" | "s3" | "syslog" | "webhook"; paused_at: null | string; paused_reason: "by_user" | "failing" | "gone" | null; previous_secret_until: null | string; secret: string; state: "active" | "failing" | "paused"; url: string }>
  /**
   * Show a webhook
   *
   * `GET /api/v0/organizations/:organization/projects/:project/webhooks/:webhook_id`
   */
  showWebhook(input: { organization: string; project: string; webhook_id: string }, options?: CallOptions): Promise<{ created_at: string; description: null | string; events: string[]; failing_since: null | string; id: string; kind: "device_api" | "ndjson" | "s3" | "syslog" | "webhook"; paused_at: null | string; paused_reason: "by_user" | "failing" | "gone" | null; previous_secret_until: null | string; state: "active" | "failing" | "paused"; url: string }>
  /**
   * Show the attempts to deliver to a webhook, by hour or day and outcome
   *
   * A delivery that is retried has several attempts. Counts are exact, and kept for 90 days.
   *
   * `GET /api/v0/organizations/:organization/projects/:project/webhooks/:webhook_id/usage`
   */
  showWebhookUsage(input: { organization: string; period?: "24h" | "30d" | "7d" | undefined; project: string; webhook_id: string }, options?: CallOptions): Promise<{ lag: null | { items: number; seconds: number }; points: { at: string; delivered: number; failed: number; items_delivered: number; items_refused: number; items_stored: number; median_duration_ms: null | number }[]; step: "day" | "hour" }>
  /**
   * Change, pause or resume a webhook
   *
   * Omitted fields stay as they are. While a webhook is paused nothing is sent and no new event is queued for it; queued events are sent when it is resumed, and what devices have sent meanwhile.
   *
   * `PUT /api/v0/organizations/:organization/projects/:project/webhooks/:webhook_id`
   */
  changeWebhook(input: { description?: null | string | undefined; destination?: undefined | { access_key_id: string; format?: "json" | "ocsf" | undefined; kind: "s3"; object_lock_days?: number | undefined; region: string; secret_access_key: string; source?: "audit_log" | "device_data" | undefined } | { ca_certificate?: string | undefined; format?: "json" | "ocsf" | undefined; kind: "syslog" } | { format?: "json" | "ocsf" | undefined; kind: "ndjson"; source?: "audit_log" | "device_data" | undefined } | { kind: "device_api"; project_key: string; project_key_header?: string | undefined }; events?: ("coredump.uploaded" | "device.claimed" | "device.data_stored" | "device.first_seen" | "device.key_revoked" | "device.location_resolved" | "organization_token.expiring")[] | undefined; organization: string; paused?: boolean | undefined; project: string; url?: string | undefined; webhook_id: string }, options?: CallOptions): Promise<{ created_at: string; description: null | string; events: string[]; failing_since: null | string; id: string; kind: "device_api" | "ndjson" | "s3" | "syslog" | "webhook"; paused_at: null | string; paused_reason: "by_user" | "failing" | "gone" | null; previous_secret_until: null | string; state: "active" | "failing" | "paused"; url: string }>
  /**
   * Delete a webhook and what waits for it
   *
   * `DELETE /api/v0/organizations/:organization/projects/:project/webhooks/:webhook_id`
   */
  deleteWebhook(input: { organization: string; project: string; webhook_id: string }, options?: CallOptions): Promise<{ [name: string]: never }>
  /**
   * Give a webhook a new secret
   *
   * Until the grace ends, deliveries are signed with the new secret and the one before, so that a receiver can switch at any time in between. Any older secret stops immediately.
   *
   * `POST /api/v0/organizations/:organization/projects/:project/webhooks/:webhook_id/rotate`
   */
  rotateWebhook(input: { grace_seconds?: number | undefined; idempotency_key?: null | string | undefined; organization: string; project: string; webhook_id: string }, options?: CallOptions): Promise<{ created_at: string; description: null | string; events: string[]; failing_since: null | string; id: string; kind: "device_api" | "ndjson" | "s3" | "syslog" | "webhook"; paused_at: null | string; paused_reason: "by_user" | "failing" | "gone" | null; previous_secret_until: null | string; secret: string; state: "active" | "failing" | "paused"; url: string }>
  /**
   * Send a test event to a webhook, once, and return the outcome
   *
   * `POST /api/v0/organizations/:organization/projects/:project/webhooks/:webhook_id/test`
   */
  testWebhook(input: { organization: string; project: string; webhook_id: string }, options?: CallOptions): Promise<{ attempts: number; created_at: string; device_serial: null | string; duration_ms: null | number; error: "not_allowed" | "status" | "timeout" | "unreachable" | null; event: string; id: string; last_attempt_at: null | string; next_attempt_at: null | string; state: "delivered" | "failed" | "pending"; status: null | number }>
  /**
   * Send failed deliveries of a webhook again
   *
   * Name either one delivery, or a time: then all deliveries are sent again that have failed since. They keep their `webhook-id`, and are attempted and retried like new ones. Delivered ones are not sent again, and the content of failed positions is not stored.
   *
   * `POST /api/v0/organizations/:organization/projects/:project/webhooks/:webhook_id/redeliver`
   */
  redeliverWebhook(input: { delivery_id?: string | undefined; organization: string; project: string; since?: string | undefined; webhook_id: string }, options?: CallOptions): Promise<{ has_more: boolean; redelivered: number; unavailable: number }>
  /**
   * List what became of the events of a webhook, the newest first
   *
   * `GET /api/v0/organizations/:organization/projects/:project/webhooks/:webhook_id/deliveries`
   */
  listWebhookDeliveries(input: { organization: string; page?: number | undefined; per_page?: number | undefined; project: string; webhook_id: string }, options?: CallOptions): Promise<{ data: { attempts: number; created_at: string; device_serial: null | string; duration_ms: null | number; error: "not_allowed" | "status" | "timeout" | "unreachable" | null; event: string; id: string; last_attempt_at: null | string; next_attempt_at: null | string; state: "delivered" | "failed" | "pending"; status: null | number }[]; paging: { item_count: number; page: number; page_count: number; per_page: number; total_count: number } }>
  /**
   * Turn a Wi-Fi scan into a position
   *
   * Access points that are sent twice count once, and so do the addresses of one radio; group and all-zero addresses are ignored, and so are those that cannot be read. At least two radios are needed, of which two are known and near each other; one of your own is enough. Returns 204 if `reply` is false.
   *
   * `POST /v1/organizations/:organization/projects/:project/location/wifi`
   */
  resolveWifiLocation(input: { accessPoints?: (null | { age?: null | number | undefined; channel?: null | number | undefined; distance?: null | number | undefined; distanceStandardDeviation?: null | number | undefined; frequency?: null | number | undefined; macAddress: string; signalStrength?: null | number | undefined; signalToNoiseRatio?: null | number | undefined; ssid?: null | string | undefined })[] | null | undefined; confidence?: null | number | undefined; config?: null | undefined | { doReply?: boolean | null | undefined; hiConf?: boolean | null | undefined }; device_id?: null | string | undefined; organization: string; previousScans?: null | undefined | { accessPoints: (null | { age?: null | number | undefined; channel?: null | number | undefined; distance?: null | number | undefined; distanceStandardDeviation?: null | number | undefined; frequency?: null | number | undefined; macAddress: string; signalStrength?: null | number | undefined; signalToNoiseRatio?: null | number | undefined; ssid?: null | string | undefined })[]; age: number }[]; project: string; reply?: boolean | null | undefined }, options?: CallOptions): Promise<null | { accessPoints: { known?: number | undefined; ranged?: number | undefined; received: number; unknown?: number | undefined; usable: number; used?: number | undefined }; altitude?: number | undefined; altitudeAccuracy?: number | undefined; fallback?: undefined; floor?: undefined | { name: string; probability: number }; fulfilledWith: "WIFI"; lat: number; leftOut?: undefined | { detail: string; pointer: string }[]; lon: number; stored?: boolean | undefined; uncertainty: number }>
  /**
   * Turn up to 100 Wi-Fi scans into positions
   *
   * Each scan is one of `POST …/wifi`, with its own options and `device_id`. `results` has the outcome of each scan, in the order of the scans, and each is what a request of this scan alone would have had. A batch counts as as many requests as it has scans; if a limit does not have room for all of them, the whole batch is refused with `rate_limited`.
   *
   * `POST /v1/organizations/:organization/projects/:project/location/wifi/batch`
   */
  resolveWifiBatch(input: { organization: string; project: string; scans: { accessPoints?: (null | { age?: null | number | undefined; channel?: null | number | undefined; distance?: null | number | undefined; distanceStandardDeviation?: null | number | undefined; frequency?: null | number | undefined; macAddress: string; signalStrength?: null | number | undefined; signalToNoiseRatio?: null | number | undefined; ssid?: null | string | undefined })[] | null | undefined; confidence?: null | number | undefined; config?: null | undefined | { doReply?: boolean | null | undefined; hiConf?: boolean | null | undefined }; device_id?: null | string | undefined; previousScans?: null | undefined | { accessPoints: (null | { age?: null | number | undefined; channel?: null | number | undefined; distance?: null | number | undefined; distanceStandardDeviation?: null | number | undefined; frequency?: null | number | undefined; macAddress: string; signalStrength?: null | number | undefined; signalToNoiseRatio?: null | number | undefined; ssid?: null | string | undefined })[]; age: number }[]; reply?: boolean | null | undefined }[] }, options?: CallOptions): Promise<{ results: { error?: undefined | { accessPoints?: undefined | { known?: number | undefined; ranged?: number | undefined; received: number; unknown?: number | undefined; usable: number; used?: number | undefined }; code: string; detail: string; errors?: undefined | { detail: string; pointer: string }[]; reason?: string | undefined; retry_after?: number | undefined }; location?: null | undefined | { accessPoints: { known?: number | undefined; ranged?: number | undefined; received: number; unknown?: number | undefined; usable: number; used?: number | undefined }; altitude?: number | undefined; altitudeAccuracy?: number | undefined; fallback?: undefined; floor?: undefined | { name: string; probability: number }; fulfilledWith: "WIFI"; lat: number; leftOut?: undefined | { detail: string; pointer: string }[]; lon: number; stored?: boolean | undefined; uncertainty: number } }[] }>
  /**
   * Explain a position
   *
   * Takes what `POST …/ground-fix` takes, and returns its position with the organization's own access points and cells that it comes from, and why others were ignored. Of the base layer it returns counts, never which ones or where they are. It counts as a look-up. Nothing is stored: `device_id` and `reply` have no effect. Unlike the routes for devices it accepts sessions.
   *
   * `POST /v1/organizations/:organization/projects/:project/location/explain`
   */
  explainLocation(input: { accessPoints?: (null | { age?: null | number | undefined; channel?: null | number | undefined; distance?: null | number | undefined; distanceStandardDeviation?: null | number | undefined; frequency?: null | number | undefined; macAddress: string; signalStrength?: null | number | undefined; signalToNoiseRatio?: null | number | undefined; ssid?: null | string | undefined })[] | null | undefined; cellTowers?: (null | { cellId?: null | number | undefined; locationAreaCode?: null | number | undefined; mobileCountryCode?: null | number | undefined; mobileNetworkCode?: null | number | undefined; newRadioCellId?: null | number | undefined; radioType?: null | string | undefined })[] | null | undefined; confidence?: null | number | undefined; config?: null | undefined | { doReply?: boolean | null | undefined; hiConf?: boolean | null | undefined }; device_id?: null | string | undefined; lte?: (null | { eci?: null | number | undefined; mcc?: null | number | undefined; mnc?: null | number | undefined; tac?: null | number | undefined })[] | null | undefined; ltecatm?: (null | { eci?: null | number | undefined; mcc?: null | number | undefined; mnc?: null | number | undefined; tac?: null | number | undefined })[] | null | undefined; nbiot?: (null | { eci?: null | number | undefined; mcc?: null | number | undefined; mnc?: null | number | undefined; tac?: null | number | undefined })[] | null | undefined; organization: string; previousScans?: null | undefined | { accessPoints: (null | { age?: null | number | undefined; channel?: null | number | undefined; distance?: null | number | undefined; distanceStandardDeviation?: null | number | undefined; frequency?: null | number | undefined; macAddress: string; signalStrength?: null | number | undefined; signalToNoiseRatio?: null | number | undefined; ssid?: null | string | undefined })[]; age: number }[]; project: string; reply?: boolean | null | undefined; wifi?: (null | { age?: null | number | undefined; channel?: null | number | undefined; distance?: null | number | undefined; distanceStandardDeviation?: null | number | undefined; frequency?: null | number | undefined; macAddress: string; signalStrength?: null | number | undefined; signalToNoiseRatio?: null | number | undefined; ssid?: null | string | undefined })[] | null | undefined | { accessPoints: (null | { age?: null | number | undefined; channel?: null | number | undefined; distance?: null | number | undefined; distanceStandardDeviation?: null | number | undefined; frequency?: null | number | undefined; macAddress: string; signalStrength?: null | number | undefined; signalToNoiseRatio?: null | number | undefined; ssid?: null | string | undefined })[] | null } }, options?: CallOptions): Promise<{ accessPoints: { locallyAdministered: boolean; macAddress: null | string; outcome: "duplicate" | "elsewhere" | "moves" | "not_an_access_point" | "not_needed" | "not_own" | "old" | "opted_out" | "unreadable" | "used"; own?: undefined | { distance: null | number; expected: number; lat: number; learned: boolean; lon: number; observations: number; residual: null | number; spread: number }; signalStrength: null | number }[]; cells: { cell: null | string; outcome: "elsewhere" | "not_needed" | "not_own" | "unusable" | "used"; own?: undefined | { distance: null | number; lat: number; lon: number; range: number; samples: number } }[]; counts: { accessPoints: { known?: number | undefined; ranged?: number | undefined; received: number; unknown?: number | undefined; usable: number; used?: number | undefined }; cells: { known: number; received: number; usable: number; used: number } }; error?: undefined | { accessPoints?: undefined | { known?: number | undefined; ranged?: number | undefined; received: number; unknown?: number | undefined; usable: number; used?: number | undefined }; code: string; detail: string; errors?: undefined | { detail: string; pointer: string }[]; reason?: string | undefined; retry_after?: number | undefined }; leftOut?: undefined | { detail: string; pointer: string }[]; position: null | { altitude?: number | undefined; altitudeAccuracy?: number | undefined; fallback?: undefined; floor?: undefined | { name: string; probability: number }; fulfilledWith: "MCELL" | "SCELL" | "WIFI"; lat: number; lon: number; uncertainty: number }; radii: null | { p68: number; p95: number }; shared: null | { accessPoints: { known: number; used: number }; cells: { known: number; used: number } }; sources: { outcome: "found" | "not_asked" | "not_found" | "skipped"; source: "cell" | "fallback" | "wifi" }[] }>
  /**
   * Turn radio cells into a position
   *
   * Takes `cellTowers`, as the widespread geolocation shape has them, and `lte`, as modems do. Returns 204 if `reply` is false.
   *
   * `POST /v1/organizations/:organization/projects/:project/location/cell`
   */
  resolveCellLocation(input: { cellTowers?: (null | { cellId?: null | number | undefined; locationAreaCode?: null | number | undefined; mobileCountryCode?: null | number | undefined; mobileNetworkCode?: null | number | undefined; newRadioCellId?: null | number | undefined; radioType?: null | string | undefined })[] | null | undefined; confidence?: null | number | undefined; config?: null | undefined | { doReply?: boolean | null | undefined; hiConf?: boolean | null | undefined }; device_id?: null | string | undefined; lte?: (null | { eci?: null | number | undefined; mcc?: null | number | undefined; mnc?: null | number | undefined; tac?: null | number | undefined })[] | null | undefined; ltecatm?: (null | { eci?: null | number | undefined; mcc?: null | number | undefined; mnc?: null | number | undefined; tac?: null | number | undefined })[] | null | undefined; nbiot?: (null | { eci?: null | number | undefined; mcc?: null | number | undefined; mnc?: null | number | undefined; tac?: null | number | undefined })[] | null | undefined; organization: string; project: string; reply?: boolean | null | undefined }, options?: CallOptions): Promise<null | { cells: { known: number; received: number; usable: number; used: number }; fallback?: undefined; fulfilledWith: "MCELL" | "SCELL"; lat: number; leftOut?: undefined | { detail: string; pointer: string }[]; lon: number; stored?: boolean | undefined; uncertainty: number }>
  /**
   * Turn a Wi-Fi scan and radio cells into a position
   *
   * By the Wi-Fi scan where that is enough, else by the cells; `fulfilledWith` says which. The scan is `accessPoints`, or `wifi`: a list, or an object with `accessPoints`. Returns 204 if `reply` is false.
   *
   * `POST /v1/organizations/:organization/projects/:project/location/ground-fix`
   */
  resolveGroundFix(input: { accessPoints?: (null | { age?: null | number | undefined; channel?: null | number | undefined; distance?: null | number | undefined; distanceStandardDeviation?: null | number | undefined; frequency?: null | number | undefined; macAddress: string; signalStrength?: null | number | undefined; signalToNoiseRatio?: null | number | undefined; ssid?: null | string | undefined })[] | null | undefined; cellTowers?: (null | { cellId?: null | number | undefined; locationAreaCode?: null | number | undefined; mobileCountryCode?: null | number | undefined; mobileNetworkCode?: null | number | undefined; newRadioCellId?: null | number | undefined; radioType?: null | string | undefined })[] | null | undefined; confidence?: null | number | undefined; config?: null | undefined | { doReply?: boolean | null | undefined; hiConf?: boolean | null | undefined }; device_id?: null | string | undefined; lte?: (null | { eci?: null | number | undefined; mcc?: null | number | undefined; mnc?: null | number | undefined; tac?: null | number | undefined })[] | null | undefined; ltecatm?: (null | { eci?: null | number | undefined; mcc?: null | number | undefined; mnc?: null | number | undefined; tac?: null | number | undefined })[] | null | undefined; nbiot?: (null | { eci?: null | number | undefined; mcc?: null | number | undefined; mnc?: null | number | undefined; tac?: null | number | undefined })[] | null | undefined; organization: string; previousScans?: null | undefined | { accessPoints: (null | { age?: null | number | undefined; channel?: null | number | undefined; distance?: null | number | undefined; distanceStandardDeviation?: null | number | undefined; frequency?: null | number | undefined; macAddress: string; signalStrength?: null | number | undefined; signalToNoiseRatio?: null | number | undefined; ssid?: null | string | undefined })[]; age: number }[]; project: string; reply?: boolean | null | undefined; wifi?: (null | { age?: null | number | undefined; channel?: null | number | undefined; distance?: null | number | undefined; distanceStandardDeviation?: null | number | undefined; frequency?: null | number | undefined; macAddress: string; signalStrength?: null | number | undefined; signalToNoiseRatio?: null | number | undefined; ssid?: null | string | undefined })[] | null | undefined | { accessPoints: (null | { age?: null | number | undefined; channel?: null | number | undefined; distance?: null | number | undefined; distanceStandardDeviation?: null | number | undefined; frequency?: null | number | undefined; macAddress: string; signalStrength?: null | number | undefined; signalToNoiseRatio?: null | number | undefined; ssid?: null | string | undefined })[] | null } }, options?: CallOptions): Promise<null | { accessPoints: { known?: number | undefined; ranged?: number | undefined; received: number; unknown?: number | undefined; usable: number; used?: number | undefined }; altitude?: number | undefined; altitudeAccuracy?: number | undefined; cells: { known: number; received: number; usable: number; used: number }; fallback?: undefined; floor?: undefined | { name: string; probability: number }; fulfilledWith: "MCELL" | "SCELL" | "WIFI"; lat: number; leftOut?: undefined | { detail: string; pointer: string }[]; lon: number; stored?: boolean | undefined; uncertainty: number }>
  /**
   * Turn a Wi-Fi scan into a position
   *
   * Access points that are sent twice count once, and so do the addresses of one radio; group and all-zero addresses are ignored, and so are those that cannot be read. At least two radios are needed, of which two are known and near each other; one of your own is enough. Returns 204 if `reply` is false.
   *
   * `POST /v1/location/wifi`
   */
  legacyWifiLocation(input: { accessPoints?: (null | { age?: null | number | undefined; channel?: null | number | undefined; distance?: null | number | undefined; distanceStandardDeviation?: null | number | undefined; frequency?: null | number | undefined; macAddress: string; signalStrength?: null | number | undefined; signalToNoiseRatio?: null | number | undefined; ssid?: null | string | undefined })[] | null | undefined; confidence?: null | number | undefined; config?: null | undefined | { doReply?: boolean | null | undefined; hiConf?: boolean | null | undefined }; device_id?: null | string | undefined; organization: string; previousScans?: null | undefined | { accessPoints: (null | { age?: null | number | undefined; channel?: null | number | undefined; distance?: null | number | undefined; distanceStandardDeviation?: null | number | undefined; frequency?: null | number | undefined; macAddress: string; signalStrength?: null | number | undefined; signalToNoiseRatio?: null | number | undefined; ssid?: null | string | undefined })[]; age: number }[]; project: string; reply?: boolean | null | undefined }, options?: CallOptions): Promise<null | { accessPoints: { known?: number | undefined; ranged?: number | undefined; received: number; unknown?: number | undefined; usable: number; used?: number | undefined }; altitude?: number | undefined; altitudeAccuracy?: number | undefined; fallback?: undefined; floor?: undefined | { name: string; probability: number }; fulfilledWith: "WIFI"; lat: number; leftOut?: undefined | { detail: string; pointer: string }[]; lon: number; stored?: boolean | undefined; uncertainty: number }>
  /**
   * Turn radio cells into a position
   *
   * Takes `cellTowers`, as the widespread geolocation shape has them, and `lte`, as modems do. Returns 204 if `reply` is false.
   *
   * `POST /v1/location/cell`
   */
  legacyCellLocation(input: { cellTowers?: (null | { cellId?: null | number | undefined; locationAreaCode?: null | number | undefined; mobileCountryCode?: null | number | undefined; mobileNetworkCode?: null | number | undefined; newRadioCellId?: null | number | undefined; radioType?: null | string | undefined })[] | null | undefined; confidence?: null | number | undefined; config?: null | undefined | { doReply?: boolean | null | undefined; hiConf?: boolean | null | undefined }; device_id?: null | string | undefined; lte?: (null | { eci?: null | number | undefined; mcc?: null | number | undefined; mnc?: null | number | undefined; tac?: null | number | undefined })[] | null | undefined; ltecatm?: (null | { eci?: null | number | undefined; mcc?: null | number | undefined; mnc?: null | number | undefined; tac?: null | number | undefined })[] | null | undefined; nbiot?: (null | { eci?: null | number | undefined; mcc?: null | number | undefined; mnc?: null | number | undefined; tac?: null | number | undefined })[] | null | undefined; organization: string; project: string; reply?: boolean | null | undefined }, options?: CallOptions): Promise<null | { cells: { known: number; received: number; usable: number; used: number }; fallback?: undefined; fulfilledWith: "MCELL" | "SCELL"; lat: number; leftOut?: undefined | { detail: string; pointer: string }[]; lon: number; stored?: boolean | undefined; uncertainty: number }>
  /**
   * Turn a Wi-Fi scan and radio cells into a position
   *
   * By the Wi-Fi scan where that is enough, else by the cells; `fulfilledWith` says which. The scan is `accessPoints`, or `wifi`: a list, or an object with `accessPoints`. Returns 204 if `reply` is false.
   *
   * `POST /v1/location/ground-fix`
   */
  legacyGroundFix(input: { accessPoints?: (null | { age?: null | number | undefined; channel?: null | number | undefined; distance?: null | number | undefined; distanceStandardDeviation?: null | number | undefined; frequency?: null | number | undefined; macAddress: string; signalStrength?: null | number | undefined; signalToNoiseRatio?: null | number | undefined; ssid?: null | string | undefined })[] | null | undefined; cellTowers?: (null | { cellId?: null | number | undefined; locationAreaCode?: null | number | undefined; mobileCountryCode?: null | number | undefined; mobileNetworkCode?: null | number | undefined; newRadioCellId?: null | number | undefined; radioType?: null | string | undefined })[] | null | undefined; confidence?: null | number | undefined; config?: null | undefined | { doReply?: boolean | null | undefined; hiConf?: boolean | null | undefined }; device_id?: null | string | undefined; lte?: (null | { eci?: null | number | undefined; mcc?: null | number | undefined; mnc?: null | number | undefined; tac?: null | number | undefined })[] | null | undefined; ltecatm?: (null | { eci?: null | number | undefined; mcc?: null | number | undefined; mnc?: null | number | undefined; tac?: null | number | undefined })[] | null | undefined; nbiot?: (null | { eci?: null | number | undefined; mcc?: null | number | undefined; mnc?: null | number | undefined; tac?: null | number | undefined })[] | null | undefined; organization: string; previousScans?: null | undefined | { accessPoints: (null | { age?: null | number | undefined; channel?: null | number | undefined; distance?: null | number | undefined; distanceStandardDeviation?: null | number | undefined; frequency?: null | number | undefined; macAddress: string; signalStrength?: null | number | undefined; signalToNoiseRatio?: null | number | undefined; ssid?: null | string | undefined })[]; age: number }[]; project: string; reply?: boolean | null | undefined; wifi?: (null | { age?: null | number | undefined; channel?: null | number | undefined; distance?: null | number | undefined; distanceStandardDeviation?: null | number | undefined; frequency?: null | number | undefined; macAddress: string; signalStrength?: null | number | undefined; signalToNoiseRatio?: null | number | undefined; ssid?: null | string | undefined })[] | null | undefined | { accessPoints: (null | { age?: null | number | undefined; channel?: null | number | undefined; distance?: null | number | undefined; distanceStandardDeviation?: null | number | undefined; frequency?: null | number | undefined; macAddress: string; signalStrength?: null | number | undefined; signalToNoiseRatio?: null | number | undefined; ssid?: null | string | undefined })[] | null } }, options?: CallOptions): Promise<null | { accessPoints: { known?: number | undefined; ranged?: number | undefined; received: number; unknown?: number | undefined; usable: number; used?: number | undefined }; altitude?: number | undefined; altitudeAccuracy?: number | undefined; cells: { known: number; received: number; usable: number; used: number }; fallback?: undefined; floor?: undefined | { name: string; probability: number }; fulfilledWith: "MCELL" | "SCELL" | "WIFI"; lat: number; leftOut?: undefined | { detail: string; pointer: string }[]; lon: number; stored?: boolean | undefined; uncertainty: number }>
  /**
   * Turn a Wi-Fi scan and radio cells into a position, in the widespread geolocation shape
   *
   * For clients that were written for a public geolocation service. `?key=` is the key of a project that lets its key ask for locations; it may be sent in the project-key header as well. `accuracy` holds 95 % of the true positions. The body is JSON whatever its content type says, and may be gzipped. The address of the caller is never looked up: `considerIp` and `fallbacks` are ignored. Errors have the shape that those clients read: 400 `parseError` or `keyInvalid`, 403 `userRateLimitExceeded`, 404 `notFound`, 405 `httpMethodNotAllowed`.
   *
   * `POST /v1/geolocate`
   */
  geolocate(input: { cellTowers?: (null | { cellId?: null | number | undefined; locationAreaCode?: null | number | undefined; mobileCountryCode?: null | number | undefined; mobileNetworkCode?: null | number | undefined; newRadioCellId?: null | number | undefined; radioType?: null | string | undefined })[] | null | undefined; organization: string; project: string; radioType?: null | string | undefined; wifiAccessPoints?: (null | { age?: null | number | undefined; channel?: null | number | undefined; distance?: null | number | undefined; distanceStandardDeviation?: null | number | undefined; frequency?: null | number | undefined; macAddress: string; signalStrength?: null | number | undefined; signalToNoiseRatio?: null | number | undefined; ssid?: null | string | undefined })[] | null | undefined }, options?: CallOptions): Promise<{ accuracy: number; altitude?: number | undefined; altitudeAccuracy?: number | undefined; floor?: undefined | { name: string; probability: number }; location: { lat: number; lng: number } }>
  /**
   * Contribute scans whose position is known
   *
   * Access points and radio cells are learned from them, for the organization alone unless it shares. They are stored when the answer comes, and learned from within seconds. The same again changes nothing: by the header `Idempotency-Key`, else by the `id` of an observation, else by its content. Observations without `device_id` count as those of one device, unless no device could travel like that.
   *
   * `POST /v1/organizations/:organization/projects/:project/location/observations`
   */
  submitObservations(input: { idempotency_key?: null | string | undefined; items: { cellTowers?: (null | { age?: null | number | undefined; cellId?: null | number | undefined; locationAreaCode?: null | number | undefined; mobileCountryCode?: null | number | undefined; mobileNetworkCode?: null | number | undefined; newRadioCellId?: null | number | undefined; radioType?: null | string | undefined; signalStrength?: null | number | undefined })[] | null | undefined; device_id?: null | string | undefined; id?: null | string | undefined; position: { accuracy?: null | number | undefined; age?: null | number | undefined; altitude?: null | number | undefined; altitudeAccuracy?: null | number | undefined; floor?: null | number | string | undefined; heading?: null | number | undefined; latitude: number; longitude: number; source?: null | string | undefined; speed?: null | number | undefined }; timestamp?: null | number | undefined; wifiAccessPoints?: (null | { age?: null | number | undefined; channel?: null | number | undefined; distance?: null | number | undefined; distanceStandardDeviation?: null | number | undefined; frequency?: null | number | undefined; macAddress: string; signalStrength?: null | number | undefined; signalToNoiseRatio?: null | number | undefined; ssid?: null | string | undefined })[] | null | undefined }[]; organization: string; project: string }, options?: CallOptions): Promise<{ accepted: number; errors?: undefined | { detail: string; pointer: string }[]; ignored: number; reasons?: undefined | { clock_not_set?: number | undefined; impossible_jump?: number | undefined; in_the_future?: number | undefined; inaccurate_position?: number | undefined; malformed?: number | undefined; nothing_fresh?: number | undefined; null_island?: number | undefined; too_fast?: number | undefined } }>
  /**
   * Contribute scans whose position is known
   *
   * Access points and radio cells are learned from them, for the organization alone unless it shares. They are stored when the answer comes, and learned from within seconds. The same again changes nothing: by the header `Idempotency-Key`, else by the `id` of an observation, else by its content. Observations without `device_id` count as those of one device, unless no device could travel like that.
   *
   * `POST /v2/geosubmit`
   */
  geosubmit(input: { idempotency_key?: null | string | undefined; items: { cellTowers?: (null | { age?: null | number | undefined; cellId?: null | number | undefined; locationAreaCode?: null | number | undefined; mobileCountryCode?: null | number | undefined; mobileNetworkCode?: null | number | undefined; newRadioCellId?: null | number | undefined; radioType?: null | string | undefined; signalStrength?: null | number | undefined })[] | null | undefined; device_id?: null | string | undefined; id?: null | string | undefined; position: { accuracy?: null | number | undefined; age?: null | number | undefined; altitude?: null | number | undefined; altitudeAccuracy?: null | number | undefined; floor?: null | number | string | undefined; heading?: null | number | undefined; latitude: number; longitude: number; source?: null | string | undefined; speed?: null | number | undefined }; timestamp?: null | number | undefined; wifiAccessPoints?: (null | { age?: null | number | undefined; channel?: null | number | undefined; distance?: null | number | undefined; distanceStandardDeviation?: null | number | undefined; frequency?: null | number | undefined; macAddress: string; signalStrength?: null | number | undefined; signalToNoiseRatio?: null | number | undefined; ssid?: null | string | undefined })[] | null | undefined }[]; organization: string; project: string }, options?: CallOptions): Promise<{ accepted: number; errors?: undefined | { detail: string; pointer: string }[]; ignored: number; reasons?: undefined | { clock_not_set?: number | undefined; impossible_jump?: number | undefined; in_the_future?: number | undefined; inaccurate_position?: number | undefined; malformed?: number | undefined; nothing_fresh?: number | undefined; null_island?: number | undefined; too_fast?: number | undefined } }>
  /**
   * Find out which observations are stored
   *
   * By their `id`, so that an interrupted client need not send them again. An accepted observation is found some seconds later, until it expires.
   *
   * `POST /v1/organizations/:organization/projects/:project/location/observations/find`
   */
  findObservations(input: { ids: string[]; organization: string; project: string }, options?: CallOptions): Promise<{ known: boolean[] }>
  /**
   * Export the observations that a project's access points and cells were learned from
   *
   * The stored observations in the order in which they were received, with the readings that were learned: no repeated readings, nothing implausible, no networks that opted out, nothing that was erased. Names of devices and networks are not stored. Each export is recorded in the audit log. A connection that ends before the last chunk is an export that is not whole.
   *
   * `GET /v1/organizations/:organization/projects/:project/location/observations/export`
   */
  exportObservations(input: { cursor?: string | undefined; organization: string; project: string }, options?: CallOptions): Promise<{ data: { cellTowers?: undefined | { cellId: number; locationAreaCode: number; mobileCountryCode: number; mobileNetworkCode: number; radioType: "gsm" | "lte" | "nr" | "wcdma"; signalStrength?: number | undefined }[]; id: string; position: { accuracy: number; altitude?: number | undefined; altitudeAccuracy?: number | undefined; floor?: string | undefined; latitude: number; longitude: number; speed?: number | undefined }; timestamp: number; wifiAccessPoints: { age?: number | undefined; macAddress: string; signalStrength: number }[] }[]; next: null | string }>
  /**
   * Show whether a project stores positions of devices, and for how long
   *
   * `GET /v1/organizations/:organization/projects/:project/location/position_policy`
   */
  showPositionPolicy(input: { organization: string; project: string }, options?: CallOptions): Promise<{ retention_days: number; store_positions: boolean }>
  /**
   * Change whether a project stores positions of devices, and for how long
   *
   * Takes effect with the next request. Stored positions stay until they expire, even if no more are stored. Delete them per device, or reduce the retention.
   *
   * `PUT /v1/organizations/:organization/projects/:project/location/position_policy`
   */
  changePositionPolicy(input: { organization: string; project: string; retention_days: number; store_positions: boolean }, options?: CallOptions): Promise<{ retention_days: number; store_positions: boolean }>
  /**
   * List where all devices of a project were last
   *
   * The last stored position of each device, if it is in the box and not older than `since`, by serial number. `format=geojson` returns a FeatureCollection (RFC 7946, `application/geo+json`) with the same fields as properties.
   *
   * `GET /v1/organizations/:organization/projects/:project/location/positions/latest`
   */
  listLatestPositions(input: { bbox?: string | undefined; cursor?: string | undefined; format?: "geojson" | "json" | undefined; organization: string; per_page?: number | undefined; project: string; since?: string | undefined }, options?: CallOptions): Promise<{ data: { altitude?: number | undefined; altitudeAccuracy?: number | undefined; confidence: number; device_serial: string; fallback: boolean; floor?: undefined | { name: string; probability: number }; fulfilledWith: "MCELL" | "SCELL" | "WIFI"; lat: number; lon: number; resolved_at: string; uncertainty: number }[]; next: null | string } | { features: { geometry: { coordinates: [number, number]; type: "Point" }; id: string; properties: { altitude?: number | undefined; altitudeAccuracy?: number | undefined; confidence: number; device_serial: string; fallback: boolean; floor?: undefined | { name: string; probability: number }; fulfilledWith: "MCELL" | "SCELL" | "WIFI"; resolved_at: string; uncertainty: number }; type: "Feature" }[]; next: null | string; type: "FeatureCollection" }>
  /**
   * Show the last position of a device
   *
   * `GET /v1/organizations/:organization/projects/:project/location/devices/:device_serial/position`
   */
  showDevicePosition(input: { device_serial: string; organization: string; project: string }, options?: CallOptions): Promise<{ altitude?: number | undefined; altitudeAccuracy?: number | undefined; confidence: number; fallback: boolean; floor?: undefined | { name: string; probability: number }; fulfilledWith: "MCELL" | "SCELL" | "WIFI"; lat: number; lon: number; resolved_at: string; uncertainty: number }>
  /**
   * List positions of a device
   *
   * The newest first. The list is empty if no position is stored.
   *
   * `GET /v1/organizations/:organization/projects/:project/location/devices/:device_serial/positions`
   */
  listDevicePositions(input: { device_serial: string; from?: string | undefined; organization: string; page?: number | undefined; per_page?: number | undefined; project: string; to?: string | undefined }, options?: CallOptions): Promise<{ data: { altitude?: number | undefined; altitudeAccuracy?: number | undefined; confidence: number; fallback: boolean; floor?: undefined | { name: string; probability: number }; fulfilledWith: "MCELL" | "SCELL" | "WIFI"; lat: number; lon: number; resolved_at: string; uncertainty: number }[]; paging: { item_count: number; page: number; page_count: number; per_page: number; total_count: number } }>
  /**
   * Delete all stored positions of a device
   *
   * The reply counts deleted and remaining positions; none remain. Later positions are stored again. Deleting the device does this too.
   *
   * `DELETE /v1/organizations/:organization/projects/:project/location/devices/:device_serial/positions`
   */
  deleteDevicePositions(input: { device_serial: string; organization: string; project: string }, options?: CallOptions): Promise<{ deleted: { positions: number }; deleted_at: string; device_serial: string; left: { positions: number } }>
  /**
   * Show the location settings of an organization
   *
   * `GET /v1/organizations/:organization/location/settings`
   */
  showLocationSettings(input: { organization: string }, options?: CallOptions): Promise<{ observation_retention_days: number; share_observations: boolean }>
  /**
   * Change the location settings of an organization
   *
   * `PUT /v1/organizations/:organization/location/settings`
   */
  changeLocationSettings(input: { observation_retention_days: number; organization: string; share_observations?: boolean | undefined }, options?: CallOptions): Promise<{ observation_retention_days: number; share_observations: boolean }>
  /**
   * Show the external provider of an organization
   *
   * `GET /v1/organizations/:organization/location/fallback`
   */
  showLocationFallback(input: { organization: string }, options?: CallOptions): Promise<{ accuracy_confidence: number; has_key: boolean; key_as: "bearer" | "query"; requests_per_minute: number; timeout_ms: number; url: null | string }>
  /**
   * Set an external provider for positions that Bearing does not know
   *
   * Any service of the widespread geolocation shape; or, if the URL ends with `/location/ground-fix`, one in the form of the location API of nRF Cloud. What could not be located is sent to it: addresses and signal strengths of access points whose owners did not opt out, and radio cells; never who asks or for which device. The key is stored encrypted and belongs to its URL: left out it stays as it was, and where the URL is another one there is none.
   *
   * `PUT /v1/organizations/:organization/location/fallback`
   */
  setLocationFallback(input: { accuracy_confidence?: number | undefined; key?: null | string | undefined; key_as?: "bearer" | "query" | undefined; organization: string; requests_per_minute?: number | undefined; timeout_ms?: number | undefined; url: string }, options?: CallOptions): Promise<{ accuracy_confidence: number; has_key: boolean; key_as: "bearer" | "query"; requests_per_minute: number; timeout_ms: number; url: null | string }>
  /**
   * Remove the external provider
   *
   * The key is deleted. After at most five seconds nothing is sent to the provider.
   *
   * `DELETE /v1/organizations/:organization/location/fallback`
   */
  turnOffLocationFallback(input: { organization: string }, options?: CallOptions): Promise<{ accuracy_confidence: number; has_key: boolean; key_as: "bearer" | "query"; requests_per_minute: number; timeout_ms: number; url: null | string }>
  /**
   * Count the access points that positions are found with
   *
   * `GET /v1/organizations/:organization/location/access_points/statistics`
   */
  showAccessPointStatistics(input: { organization: string }, options?: CallOptions): Promise<{ organization: { access_points: number; observations: number; updated_at: null | string }; shared: { access_points: number; observations: number; updated_at: null | string } }>
  /**
   * List an organization's own access points in a box
   *
   * At most 2000 of those that `coverage` counts, as the export has them. Never access points of the base layer.
   *
   * `GET /v1/organizations/:organization/location/access_points`
   */
  listAccessPoints(input: { bbox?: string | undefined; organization: string }, options?: CallOptions): Promise<{ complete: boolean; data: { declared: boolean; lat: number; learned: boolean; lon: number; macAddress: string; moving: boolean; observations: number; spread: number; updated_at: string }[] }>
  /**
   * Show where an organization's own access points are
   *
   * Counts the organization's own access points in a grid. Cells are tiles of Web Mercator: squares on a map, at most 48 on each side of the box; cells without access points are left out. Access points of the base layer are never counted. Learned access points are counted where they were when the number of their observations last doubled.
   *
   * `GET /v1/organizations/:organization/location/access_points/coverage`
   */
  showCoverage(input: { bbox?: string | undefined; organization: string; zoom?: number | undefined }, options?: CallOptions): Promise<{ bounds: null | { east: number; north: number; south: number; west: number }; cells: { access_points: number; east: number; imported: number; learned: number; median_spread: null | number; median_updated_at: string; moving: number; north: number; south: number; west: number }[]; sampled: number; total: { access_points: number; imported: number; learned: number; moving: number } }>
  /**
   * Export an organization's own access points
   *
   * All that the organization has imported, and all that was learned from what it contributed, in the order of their addresses; never those of the base layer, and never those of others. Each is there once: where it was imported and learned as that which look-ups go by, which is what was declared, else what more observations say. A connection that ends before the last chunk is an export that is not whole.
   *
   * `GET /v1/organizations/:organization/location/access_points/export`
   */
  exportAccessPoints(input: { cursor?: string | undefined; only?: "imported" | "learned" | undefined; organization: string }, options?: CallOptions): Promise<{ data: { declared: boolean; lat: number; learned: boolean; lon: number; macAddress: string; observations: number; spread: number; updated_at: string }[]; next: null | string }>
  /**
   * Erase an access point
   *
   * Permanent: neither an import nor an observation brings it back, and it cannot be undone. Look-ups do not find it from now on; it is removed from contributed and stored data soon after. It need not be known.
   *
   * `POST /v1/organizations/:organization/location/access_points/forget`
   */
  forgetAccessPoint(input: { macAddress: string; organization: string }, options?: CallOptions): Promise<{ removed: number }>
  /**
   * Export an organization's own radio cells
   *
   * All that the organization has imported and nobody heard, and then all that was learned from what it contributed, as look-ups take them, each in the order of their identities; each cell once, never those of the base layer, and never those of others. A connection that ends before the last chunk is an export that is not whole.
   *
   * `GET /v1/organizations/:organization/location/cells/export`
   */
  exportCells(input: { cursor?: string | undefined; organization: string }, options?: CallOptions): Promise<{ data: { cellId: number; lat: number; learned: boolean; locationAreaCode: number; lon: number; mobileCountryCode: number; mobileNetworkCode: number; radioType: "gsm" | "lte" | "nr" | "wcdma"; range: number; samples: number; updated_at: string }[]; next: null | string }>
  /**
   * Erase a radio cell
   *
   * Permanent: neither an import nor an observation brings it back, and it cannot be undone. Look-ups do not find it from now on; it is removed from contributed and stored data soon after. It need not be known.
   *
   * `POST /v1/organizations/:organization/location/cells/forget`
   */
  forgetCell(input: { cellId: number; locationAreaCode: number; mobileCountryCode: number; mobileNetworkCode: number; organization: string; radioType: "gsm" | "lte" | "nr" | "wcdma" }, options?: CallOptions): Promise<{ removed: number }>
  /**
   * Erase the access points of an area, and what was observed of radio cells there
   *
   * Permanent: neither an import nor an observation brings it back, and it cannot be undone. Look-ups do not find it from now on; it is removed from contributed and stored data soon after. Later imports and observations leave out what lies in the area.
   *
   * `POST /v1/organizations/:organization/location/areas/forget`
   */
  forgetArea(input: { lat: number; lon: number; organization: string; radius: number }, options?: CallOptions): Promise<{ removed: number }>
  /**
   * Begin an import of access points or radio cells
   *
   * The digest names the content: an import of the same content into the same layer that is open, running or done is returned instead of a new one, so imports are idempotent.
   *
   * `POST /v1/organizations/:organization/location/access_points/imports`
   */
  beginImport(input: { content: "cells" | "observations" | "positions"; digest: string; organization: string }, options?: CallOptions): Promise<{ added: null | number; batches: number; content: "cells" | "observations" | "positions"; created_at: string; failure: null | string; id: string; next_batch: number; next_row: number; rows: number; state: "committed" | "committing" | "failed" | "open"; updated: null | number }>
  /**
   * List the imports of an organization
   *
   * The newest first. An import that is not committed expires a day after its last batch, and then is not in the list.
   *
   * `GET /v1/organizations/:organization/location/access_points/imports`
   */
  listImports(input: { cursor?: string | undefined; organization: string; per_page?: number | undefined }, options?: CallOptions): Promise<{ data: { added: null | number; batches: number; content: "cells" | "observations" | "positions"; created_at: string; failure: null | string; id: string; next_batch: number; next_row: number; rows: number; state: "committed" | "committing" | "failed" | "open"; updated: null | number }[]; next: null | string }>
  /**
   * Show the progress of an import
   *
   * `GET /v1/organizations/:organization/location/access_points/imports/:import_id`
   */
  showImport(input: { import_id: string; organization: string }, options?: CallOptions): Promise<{ added: null | number; batches: number; content: "cells" | "observations" | "positions"; created_at: string; failure: null | string; id: string; next_batch: number; next_row: number; rows: number; state: "committed" | "committing" | "failed" | "open"; updated: null | number }>
  /**
   * Add a batch of rows to an import
   *
   * Batches are numbered from 0. Sending a batch again replaces it. The rows come as JSON, or packed: three times as many fit into a batch then.
   *
   * `PUT /v1/organizations/:organization/location/access_points/imports/:import_id/batches/:batch`
   */
  appendToImport(input: { batch: number | string; import_id: string; organization: string; packed?: string | undefined; packed_cells?: string | undefined; rows?: [string, number, number, null | number][] | undefined }, options?: CallOptions): Promise<{ rows: number }>
  /**
   * Make an import visible
   *
   * Returns immediately. Poll the import until its state is `committed` or `failed`.
   *
   * `POST /v1/organizations/:organization/location/access_points/imports/:import_id/commit`
   */
  commitImport(input: { batches: number; import_id: string; organization: string; rows: number }, options?: CallOptions): Promise<{ added: null | number; batches: number; content: "cells" | "observations" | "positions"; created_at: string; failure: null | string; id: string; next_batch: number; next_row: number; rows: number; state: "committed" | "committing" | "failed" | "open"; updated: null | number }>
}

/** Calls that return a page of a list. */
export type ListName = "listAttributes" | "listAuditCheckpoints" | "listAuditEntries" | "listChunks" | "listCoredumps" | "listDeletedOrganizations" | "listDeletedProjects" | "listDeviceCas" | "listDeviceClaims" | "listDeviceKeys" | "listDevicePositions" | "listDevices" | "listFiles" | "listInvitations" | "listLegacyTokens" | "listMembers" | "listOnboardingTokens" | "listOrganizationTokens" | "listOrganizations" | "listPartnerLinks" | "listPasskeys" | "listProjectMembers" | "listProjects" | "listSessions" | "listSsoConnections" | "listSsoDomains" | "listSsoIdentities" | "listWebhookDeliveries" | "listWebhooks" | "listWorkloadTrusts"

/** Calls that return a list line by line. */
export type StreamName = "exportAccessPoints" | "exportAuditEntries" | "exportCells" | "exportObservations" | "listAuditEntries" | "listDevices" | "listImports" | "readData"

export type ErrorCode =
  | 'invalid_input'
  | 'malformed_json'
  | 'multiple_credentials'
  | 'credential_in_query'
  | 'sso_provider_unusable'
  | 'malformed_chunks'
  | 'nothing_usable'
  | 'too_few_access_points'
  | 'authorization_pending'
  | 'slow_down'
  | 'access_denied'
  | 'expired_token'
  | 'scim_request_invalid'
  | 'token_exchange_refused'
  | 'upload_too_large'
  | 'upload_mismatch'
  | 'upload_incomplete'
  | 'symbols_invalid'
  | 'credential_missing'
  | 'credential_malformed'
  | 'credential_invalid'
  | 'credential_expired'
  | 'legacy_token_retired'
  | 'second_factor_needed'
  | 'upload_url_invalid'
  | 'project_key_invalid'
  | 'device_token_invalid'
  | 'device_claim_refused'
  | 'device_certificate_invalid'
  | 'device_identity_required'
  | 'project_key_required'
  | 'device_not_known'
  | 'permission_denied'
  | 'administration_forbidden'
  | 'address_not_allowed'
  | 'password_incorrect'
  | 'csrf_refused'
  | 'second_factor_invalid'
  | 'second_factor_required'
  | 'user_required'
  | 'recent_sign_in_required'
  | 'sso_required'
  | 'device_login_refused'
  | 'sso_failed'
  | 'organization_deleted'
  | 'project_deleted'
  | 'sso_access_denied'
  | 'route_not_found'
  | 'organization_not_found'
  | 'project_not_found'
  | 'organization_token_not_found'
  | 'workload_trust_not_found'
  | 'legacy_token_not_found'
  | 'user_key_not_found'
  | 'login_not_found'
  | 'session_not_found'
  | 'second_factor_not_found'
  | 'sso_connection_not_found'
  | 'partner_team_not_found'
  | 'partner_link_not_found'
  | 'scim_resource_not_found'
  | 'sso_identity_not_found'
  | 'sso_domain_not_found'
  | 'user_not_found'
  | 'member_not_found'
  | 'invitation_not_found'
  | 'email_change_not_found'
  | 'password_reset_not_found'
  | 'device_not_found'
  | 'device_claim_not_found'
  | 'onboarding_token_not_found'
  | 'device_ca_not_found'
  | 'device_key_not_found'
  | 'attribute_not_found'
  | 'chunk_not_found'
  | 'import_not_found'
  | 'location_not_found'
  | 'position_not_found'
  | 'upload_not_found'
  | 'file_not_found'
  | 'webhook_not_found'
  | 'delivery_not_found'
  | 'deletion_not_found'
  | 'symbols_not_found'
  | 'method_not_allowed'
  | 'slug_taken'
  | 'slug_reserved'
  | 'selection_changed'
  | 'project_key_taken'
  | 'device_claim_conflict'
  | 'device_ca_taken'
  | 'device_key_taken'
  | 'attribute_conflict'
  | 'email_taken'
  | 'organization_token_conflict'
  | 'already_member'
  | 'invitation_pending'
  | 'second_factor_exists'
  | 'sso_connection_needed'
  | 'partner_team_linked'
  | 'scim_resource_taken'
  | 'sso_identity_taken'
  | 'sso_domain_unverified'
  | 'already_bootstrapped'
  | 'role_from_provider'
  | 'last_admin'
  | 'erasure_started'
  | 'too_many_areas'
  | 'import_conflict'
  | 'too_many_organizations'
  | 'quota_exceeded'
  | 'too_many_webhooks'
  | 'delivery_unavailable'
  | 'idempotency_conflict'
  | 'file_conflict'
  | 'invitation_ended'
  | 'length_required'
  | 'precondition_failed'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'rate_limited'
  | 'headers_too_large'
  | 'internal'
  | 'reply_too_large'
  | 'mail_not_configured'
  | 'storage_quota_exceeded'
  | 'overloaded'
  | 'service_unavailable'
  | 'deadline_exceeded'

export type Permission =
  | 'principal:read'
  | 'organization:list'
  | 'organization:create'
  | 'user-key:read'
  | 'user-key:cycle'
  | 'user-key:delete'
  | 'password:change'
  | 'email:change'
  | 'user:delete-self'
  | 'session:read'
  | 'session:end'
  | 'session:confirm'
  | 'login:decide'
  | 'second-factor:read'
  | 'second-factor:change'
  | 'sso-identity:read'
  | 'sso-identity:change'
  | 'partner-team:read'
  | 'partner-team:choose'
  | 'organization:rename'
  | 'organization-usage:read'
  | 'project:list'
  | 'project:create'
  | 'organization-token:read'
  | 'organization-token:create'
  | 'organization-token:delete'
  | 'organization-token:rotate'
  | 'organization-token:derive'
  | 'organization-token-policy:read'
  | 'organization-token-policy:change'
  | 'workload-trust:read'
  | 'workload-trust:manage'
  | 'legacy-token:read'
  | 'legacy-token:import'
  | 'legacy-token:delete'
  | 'sign-in-policy:read'
  | 'sign-in-policy:change'
  | 'sso-connection:read'
  | 'sso-connection:manage'
  | 'sso-connection:change'
  | 'sso-domain:read'
  | 'sso-domain:manage'
  | 'partner-link:manage'
  | 'scim:provision'
  | 'access-point:read'
  | 'access-point:import'
  | 'location-settings:read'
  | 'location-settings:change'
  | 'access-point:export'
  | 'access-point:forget'
  | 'member:read'
  | 'member:leave'
  | 'member:manage'
  | 'admin:grant'
  | 'invitation:read'
  | 'invitation:create'
  | 'invitation:revoke'
  | 'invitation:resend'
  | 'audit-log:read'
  | 'organization:delete'
  | 'organization:restore'
  | 'project:delete'
  | 'project:read'
  | 'project-key:read'
  | 'project-key:cycle'
  | 'project-settings:read'
  | 'project-settings:change'
  | 'location:resolve'
  | 'observation:contribute'
  | 'project-member:read'
  | 'project-member:manage'
  | 'device:read'
  | 'device:register'
  | 'device:change'
  | 'device:delete'
  | 'device-key:manage'
  | 'device:claim'
  | 'device-data:send'
  | 'device-data:read'
  | 'data-policy:read'
  | 'data-policy:change'
  | 'file:read'
  | 'file:download'
  | 'file:upload'
  | 'symbols:upload'
  | 'webhook:read'
  | 'webhook:manage'
  | 'user:create'
  | 'user:delete'
  | 'user:change-email'
  | 'membership:grant'
  | 'pepper:read'
  | 'second-factor:reset'
  | 'audit-log:verify'
  | 'sign-in-policy:release'
  | 'partner-connection:manage'
  | 'dead-letter:manage'
  | 'project-key:import'
  | 'layer:relearn'
