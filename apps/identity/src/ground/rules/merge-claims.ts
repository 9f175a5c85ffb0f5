type Claims = Readonly<Record<string, unknown>>

/**
 * Adds what the userinfo endpoint says to the claims of an ID token, which take precedence. `email` and `email_verified` come
 * from the same source: a provider verified the email address that it says so of, and no other.
 */
export function mergeClaims(idToken: Claims, userinfo: Claims): Claims {
  const { email, email_verified } = idToken['email'] === undefined ? userinfo : idToken
  return { ...userinfo, ...idToken, email, email_verified }
}
