/** Fields that may contain a secret. No list or show operation returns one; this protects against later versions that do. */
const SECRET = /(?:^|_)(?:secret|password|token|api_key|private_key)s?$/

/** Returns a copy of a configuration without texts in fields that are named like secrets. */
export function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, field]) => !(SECRET.test(name) && typeof field === 'string'))
      .map(([name, field]) => [name, withoutSecrets(field)]),
  )
}

/** Returns the origin of a webhook's URL: its path and query often contain a secret. */
export function originOnly(url: string): string {
  return URL.parse(url)?.origin ?? ''
}

/** Returns a URL without its query and user information. */
export function withoutQuery(url: string | null): string | null {
  const parsed = url === null ? null : URL.parse(url)
  return parsed && parsed.origin + parsed.pathname
}
