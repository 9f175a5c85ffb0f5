import { playGateway, type Plays } from './play-gateway.js'
import { runCli, type Ran, type RunOptions } from './run-cli.js'

/** A token, an organization and a project. */
export const ENVIRONMENT = {
  BEARING_ORG_TOKEN: 'T0ken',
  BEARING_ORG: 'acme',
  BEARING_PROJECT: 'gate',
}
/** A user and an organization. */
export const AS_USER = { BEARING_EMAIL: 'ann@acme.example', BEARING_PASSWORD: 'K3y', BEARING_ORG: 'acme' }

/** Runs the command line against a play gateway of its own. */
export async function runAgainst(
  plays: Plays,
  args: readonly string[],
  { environment, stdin }: RunOptions = {},
): Promise<Ran & { requests: string[] }> {
  await using gateway = await playGateway(plays)
  const ran = await runCli(args, {
    environment: { ...(environment ?? ENVIRONMENT), BEARING_URL: gateway.url },
    ...(stdin !== undefined && { stdin }),
  })
  return { ...ran, requests: gateway.requests }
}
