type Claims = Readonly<Record<string, unknown>>

/**
 * Adds claims of the userinfo endpoint to those of an ID token, which take precedence. `email` and `email_verified` come from
 * the same source: a provider verified the email address beside which it says so.
 */
export function mergeClaims(idToken: Claims, userinfo: Claims): Claims {
  const { email, email_verified } = idToken['email'] === undefined ? userinfo : idToken
  return { ...userinfo, ...idToken, email, email_verified }
}
