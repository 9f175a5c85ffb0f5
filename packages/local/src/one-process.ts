/** Environment variables of a process. */
type Environment = Readonly<Record<string, string>>

/**
 * Returns the environment of one process that runs several parts: each variable with the prefix of its part, such as
 * `IDENTITY__NATS_NKEY_SEED`. `apps/one/src/environment-of.ts` reads it.
 *
 * @param parts name and environment of each
 */
export function environmentOfOne(parts: readonly (readonly [string, Environment])[]): Environment {
  const variables = parts.flatMap(([part, values]) =>
    Object.entries(values).map(([name, value]) => [`${part.toUpperCase()}__${name}`, value] as const),
  )
  return Object.fromEntries(variables)
}
