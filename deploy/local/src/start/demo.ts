import { rmSync } from 'node:fs'
import { BearingClient } from '@bearing/client/client'
import { ProblemError } from '@bearing/client/errors'
import type { ClientCredential } from '@bearing/client/client-options'
import { OperationError } from '@bearing/contracts/errors'
import { createUser, issueServiceClaims } from '@bearing/contracts/identity/people/user'
import { ORGANIZATION_TOKEN } from '@bearing/contracts/principal'
import { NatsClient } from '@bearing/nats/client'
import { connectNats } from '@bearing/nats/connection'
import { fillFleet } from '../demo/fill-fleet.js'
import { DAYS, FLEET } from '../demo/fleet.js'
import { importTown } from '../demo/import-town.js'
import type { MovingOptions } from '../demo/move-devices.js'
import { type Demo, demoEnvironment, operatorEnvironment } from './panel.js'
import type { MailLines } from './mail-lines.js'
import type { Messaging, Servers } from './servers.js'
import { writeSecrets, type Secrets } from './secrets.js'
import { writePrivateFile, type StateDirectory } from './state-directory.js'

export interface DemoOptions extends Servers {
  /** Of the gateway. */
  readonly url: string
  readonly state: StateDirectory
  readonly secrets: Secrets
  /** Receives what was done, in a few words. */
  readonly note: (text: string) => void
  readonly mails: Pick<MailLines, 'skipNext'>
  /** True if the project has a fleet. */
  readonly fleet: boolean
}

const ORGANIZATION = { name: 'Demo', slug: 'demo' }
const PROJECT = { name: 'Cargo bikes', slug: 'cargo-bikes' }
const PLACE = { organization: ORGANIZATION.slug, project: PROJECT.slug }

/**
 * Makes a user, an organization, a project, credentials, access points and a fleet to try things with. What is there already is kept.
 *
 * @returns also a client that has the organization token, and what reads the project key again
 */
export async function seedDemo(
  options: DemoOptions,
): Promise<Demo & Pick<MovingOptions, 'client' | 'readKey'>> {
  const { url, state, secrets, note, mails } = options
  const { demo } = secrets
  const as = (credential: ClientCredential) => new BearingClient({ url, credential })
  const asUser = (secret: string) => as({ kind: 'user', email: demo.email, secret })
  const asToken = (token: string) => as({ kind: ORGANIZATION_TOKEN, token })
  const keep = (made: Partial<Secrets['demo']>) => {
    Object.assign(demo, made)
    writeSecrets(state.secrets, secrets)
  }

  const isKeyGood = demo.user_key !== undefined && (await isAccepted(asUser(demo.user_key)))
  if (!isKeyGood) {
    await createDemoUser(options)
    const person = asUser(demo.password)
    if (!(await hasKey(person))) {
      mails.skipNext(demo.email)
      keep({ user_key: (await person.call('cycleUserKey', {})).api_key })
    } else {
      // It was made by hand, and stays: the password does the same. Each try of a wrong key would count as a wrong password.
      delete demo.user_key
      keep({})
    }
  }
  const { user_key: userKey = demo.password } = demo
  const user = asUser(userKey)
  await ensureProject(user)
  const isTokenGood =
    demo.organization_token !== undefined && (await isAccepted(asToken(demo.organization_token)))
  if (!isTokenGood) {
    const description = 'Made by pnpm start'
    keep({
      organization_token: (
        await user.call('createOrganizationToken', { organization: PLACE.organization, description })
      ).token,
    })
  }
  const { organization_token: organizationToken = '' } = demo
  const client = asToken(organizationToken)
  await importTown(client, PLACE.organization)
  const { databaseUrls } = options
  if (options.fleet && (await fillFleet({ client: user, databaseUrls, ...PLACE })))
    note(`${FLEET.length} devices, ${DAYS} days of data`)

  const readKey = async () => (await user.call('showProjectKey', PLACE)).api_key
  const projectKey = await readKey()
  const { email, password } = demo
  const operator = operatorOf(options.messaging)
  const made = { url, ...PLACE, email, password, userKey, organizationToken, projectKey, operator }
  writePrivateFile(state.demoHeaders, `Authorization: Bearer ${organizationToken}\n`)
  writePrivateFile(state.demoEnv, demoEnvironment(made, state.demoHeaders))
  if (operator) writePrivateFile(state.operatorEnv, operatorEnvironment(operator))
  else rmSync(state.operatorEnv, { force: true }) // of a start with a NATS of its own
  return { ...made, client, readKey }
}

function operatorOf({ url, nkeySeeds }: Messaging): Demo['operator'] {
  return nkeySeeds.operator === undefined ? undefined : { natsUrl: url, nkeySeed: nkeySeeds.operator }
}

async function isAccepted(client: BearingClient): Promise<boolean> {
  try {
    await client.call('whoAmI', {})
    return true
  } catch (error) {
    if (error instanceof ProblemError && error.status === 401) return false
    throw error
  }
}

async function hasKey(user: BearingClient): Promise<boolean> {
  try {
    await user.call('showUserKey', {})
    return true
  } catch (error) {
    if (error instanceof ProblemError && error.code === 'user_key_not_found') return false
    throw error
  }
}

async function createDemoUser({ messaging, secrets: { demo } }: DemoOptions): Promise<void> {
  const connection = await connectNats({
    url: messaging.url,
    nkeySeed: messaging.nkeySeeds.operator,
    name: 'operator',
    waitForServer: false,
  })
  try {
    const nats = new NatsClient(connection)
    const { claims } = await nats.call(issueServiceClaims, { name: 'start', audience: 'identity' })
    // Not through the gateway, which would cache the rejection.
    await nats
      .call(createUser, { email: demo.email, password: demo.password }, { claims })
      .catch((error: unknown) => {
        if (!(error instanceof OperationError && error.code === 'email_taken')) throw error
      })
  } finally {
    await connection.drain()
  }
}

async function ensureProject(user: BearingClient): Promise<void> {
  const organizations = await user.listAll('listOrganizations', {})
  if (!organizations.some(({ slug }) => slug === ORGANIZATION.slug))
    await user.call('createOrganization', ORGANIZATION)
  const projects = await user.listAll('listProjects', { organization: ORGANIZATION.slug })
  if (!projects.some(({ slug }) => slug === PROJECT.slug))
    await user.call('createProject', { organization: ORGANIZATION.slug, ...PROJECT })
}
