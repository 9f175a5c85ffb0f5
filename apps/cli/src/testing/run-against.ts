import { fakeGateway, type Answers } from './fake-gateway.js'
import { runCli, type Ran, type RunOptions } from './run-cli.js'

/** A token, an organization and a project. */
export const ENVIRONMENT = {
  BEARING_ORG_TOKEN: 'T0ken',
  BEARING_ORG: 'acme',
  BEARING_PROJECT: 'gate',
}
/** A user and an organization. */
export const AS_USER = { BEARING_EMAIL: 'ann@acme.example', BEARING_PASSWORD: 'K3y', BEARING_ORG: 'acme' }

/** Runs the command line against a fake gateway of its own. */
export async function runAgainst(
  answers: Answers,
  args: readonly string[],
  { environment, stdin }: RunOptions = {},
): Promise<Ran & { requests: string[] }> {
  await using gateway = await fakeGateway(answers)
  const ran = await runCli(args, {
    environment: { ...(environment ?? ENVIRONMENT), BEARING_URL: gateway.url },
    ...(stdin !== undefined && { stdin }),
  })
  return { ...ran, requests: gateway.requests }
}
