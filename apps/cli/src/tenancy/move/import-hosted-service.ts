import { withAsciiDomain } from '@bearing/contracts/text/ascii-domain'
import { createReadStream } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import type { BearingClient } from '@bearing/client/client'
import { ProblemError } from '@bearing/client/errors'
import { counted } from '../../ground/output/format.js'
import { unreadable, UsageError } from '../../ground/usage-error.js'
import { repeated } from '../../ground/arguments.js'
import type { Cli } from '../../session/cli.js'
import { verb } from '../../session/verb.js'
import { HostedService, type HostedProject } from './hosted-service.js'
import { DeviceMover, type MovedDevices } from './move-devices.js'

interface MovedProject {
  readonly slug: string
  readonly outcome: 'created' | 'exists' | 'would be created'
  /** Outcome for the project key. */
  readonly key: string
  readonly devices: MovedDevices
}

/** Outcome for a row of a file. */
interface MovedRow {
  readonly name: string
  readonly outcome: string
  readonly secret?: string
}

interface Flags {
  readonly from: string
  readonly onlyProject: readonly string[]
  readonly network?: string | undefined
  readonly members?: string | undefined
  readonly webhooks?: string | undefined
  readonly withoutAttributes?: boolean | undefined
  readonly resume?: string | undefined
  readonly dryRun?: boolean | undefined
}

verb('import hosted-service', {
  about: 'move projects, project keys, devices, members and webhooks in from the hosted service',
  takes: {
    '<organization>': 'slug of the organization at the hosted service',
    '--from <url>': { about: 'URL of its API', initial: 'https://api.memfault.com' },
    '--only-project <slug>': {
      ...repeated('only this project, by its slug there; repeatable', (slug) => slug),
      initial: [],
    },
    '--network <range>':
      'import project keys with the first request from this network; without it an operator decides',
    '--members <file>': 'CSV with the columns email and role (admin or member): they are invited',
    '--webhooks <file>': 'CSV with the columns project and url',
    '--without-attributes': 'leave attributes out, which take a request for each device',
    '--resume <file>': 'keep in this file how far it has come, and continue from there',
    '--dry-run': 'print what would change, and change nothing',
  },
  help: `Reads an organization auth token of the hosted service from standard input. Its API lists projects, project keys and devices with
attributes; members and webhooks are not in it, so they come from files. Repeat the command after an interruption: what exists stays as it is.
See /docs/coming-from-the-hosted-service.`,
  examples: ['acme --dry-run < token.txt', 'acme --network 203.0.113.0/24 --members members.csv < token.txt'],
  run: async (cli, { organization: source, ...flags }) => {
    const token = await cli.askSecret('an organization auth token of the hosted service')
    const service = new HostedService(flags.from.replace(/\/+$/, ''), source, token, cli.terminal.signal)
    const wanted = new Set(flags.onlyProject)
    const all = await service.projects()
    for (const slug of wanted)
      if (!all.some((project) => project.slug === slug))
        throw new UsageError(`The hosted service has no project "${slug}".`)
    const projects: MovedProject[] = []
    for (const project of all)
      if (wanted.size === 0 || wanted.has(project.slug))
        projects.push(await moveProject(cli, service, project, flags))
    const members = flags.members === undefined ? [] : await moveMembers(cli, flags.members, flags)
    const webhooks = flags.webhooks === undefined ? [] : await moveWebhooks(cli, flags.webhooks, flags)
    print(cli, { dry_run: flags.dryRun === true, projects, members, webhooks })
  },
})

async function moveProject(
  cli: Cli,
  service: HostedService,
  { slug, name }: HostedProject,
  flags: Flags,
): Promise<MovedProject> {
  const { client, organization } = await cli.session()
  const { dryRun = false } = flags
  const at = { organization, project: slug }
  const exists = await isThere(() => client.call('showProject', at))
  if (!exists && !dryRun) await client.call('createProject', { organization, name, slug })
  const key = await moveKey(client, at, await service.projectKey(slug), exists, flags)
  const mover = new DeviceMover(client, at, cli.terminal.signal, dryRun, !exists)
  const progress = await readProgress(flags.resume)
  for (let page = progress[slug] ?? 1, pages = page; page <= pages; page++) {
    const reply = await service.devices(slug, page, flags.withoutAttributes !== true)
    await mover.move(reply.devices)
    pages = reply.pages
    cli.output.say(`${slug}: page ${String(page)} of ${String(pages)}.`)
    progress[slug] = page + 1
    if (flags.resume !== undefined && !dryRun) await writeFile(flags.resume, JSON.stringify(progress))
  }
  const outcome = exists ? 'exists' : dryRun ? 'would be created' : 'created'
  return { slug, outcome, key, devices: mover.moved }
}

async function moveKey(
  client: BearingClient,
  at: { readonly organization: string; readonly project: string },
  api_key: string,
  exists: boolean,
  { network, dryRun = false }: Flags,
): Promise<string> {
  if (!/^[0-9a-f]{32}$/.test(api_key)) return 'of another form: devices need the key of the new project'
  if (dryRun && !exists) return 'would be requested'
  const { in_grace, requested, ...current } = await client.call('showProjectKey', at)
  if ([current, ...in_grace].some((key) => key.api_key === api_key)) return 'imported'
  if (requested?.api_key === api_key && isSameNetwork(requested.network, network)) return 'requested before'
  if (dryRun) return 'would be requested'
  try {
    await client.call('requestKeyImport', { ...at, api_key, network: network ?? null })
  } catch (error) {
    if (error instanceof ProblemError && error.code === 'project_key_taken') return 'taken by another project'
    throw error
  }
  return network === undefined ? 'requested: an operator decides' : `requested: first use from ${network}`
}

/** The gateway returns an address as a range. */
function isSameNetwork(requested: string | null, network: string | undefined): boolean {
  if (network === undefined || requested === null) return requested === (network ?? null)
  return ['', '/32', '/128'].some((bits) => requested === network + bits)
}

async function moveMembers(cli: Cli, path: string, { dryRun = false }: Flags): Promise<MovedRow[]> {
  const { client, organization } = await cli.session()
  const members = await client.listAll('listMembers', { organization })
  const invitations = await client.listAll('listInvitations', { organization })
  const known = new Set([...members, ...invitations].map(({ email }) => email.toLowerCase()))
  const moved: MovedRow[] = []
  for await (const row of rowsOf(path, ['email', 'role'])) {
    const email = row.get('email') ?? ''
    const role = row.get('role') === 'admin' ? 'admin' : 'member'
    const isKnown = known.has(withAsciiDomain(email).toLowerCase())
    if (!isKnown && !dryRun) await client.call('createInvitation', { organization, email, role })
    known.add(withAsciiDomain(email).toLowerCase())
    moved.push({ name: email, outcome: isKnown ? 'exists' : dryRun ? 'would be invited' : 'invited' })
  }
  return moved
}

async function moveWebhooks(cli: Cli, path: string, { dryRun = false }: Flags): Promise<MovedRow[]> {
  const { client, organization } = await cli.session()
  const moved: MovedRow[] = []
  for await (const row of rowsOf(path, ['project', 'url'])) {
    const [project = '', url = ''] = [row.get('project'), row.get('url')]
    const at = { organization, project }
    const isThereNow = dryRun ? await isThere(() => client.call('showProject', at)) : true
    const present = isThereNow ? await client.listAll('listWebhooks', at) : []
    if (present.some((webhook) => webhook.url === url)) moved.push({ name: url, outcome: 'exists' })
    else if (dryRun) moved.push({ name: url, outcome: 'would be created' })
    else {
      const { secret } = await client.call('createWebhook', { ...at, url })
      moved.push({ name: url, outcome: 'created', secret })
    }
  }
  return moved
}

/** Returns whether something exists. */
async function isThere(look: () => Promise<unknown>): Promise<boolean> {
  try {
    await look()
    return true
  } catch (error) {
    if (error instanceof ProblemError && error.status === 404) return false
    throw error
  }
}

/** Reads a CSV file with a header. @throws UsageError if it cannot be read, or lacks a column */
async function* rowsOf(
  path: string,
  columns: readonly string[],
): AsyncGenerator<ReadonlyMap<string, string>> {
  const { readDevices } = await import('@bearing/files/devices/read-devices')
  const check = (found: readonly string[]) => {
    for (const column of columns)
      if (!found.includes(column)) throw new UsageError(`${path} has no column "${column}".`)
  }
  try {
    for await (const { row, line } of readDevices(createReadStream(path), path, check)) {
      if (typeof row === 'string') throw new UsageError(`Line ${String(line)} of ${path} ${row}.`)
      yield row
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error // streams throw errors with a code
    throw unreadable(path, error)
  }
}

/** Returns the next page of each project; none if the file is new. */
async function readProgress(path: string | undefined): Promise<Record<string, number>> {
  if (path === undefined) return {}
  const text = await readFile(path, 'utf8').catch(() => '{}')
  try {
    return JSON.parse(text) as Record<string, number> // as it was written
  } catch {
    throw new UsageError(`${path} does not contain the progress of an import.`)
  }
}

interface Report {
  readonly dry_run: boolean
  readonly projects: readonly MovedProject[]
  readonly members: readonly MovedRow[]
  readonly webhooks: readonly MovedRow[]
}

function print(cli: Cli, report: Report): void {
  const { projects, members, webhooks } = report
  cli.output.table(
    projects,
    {
      ...{ Project: 'slug', Outcome: 'outcome', Key: 'key' },
      Created: ({ devices }) => String(devices.created),
      Changed: ({ devices }) => String(devices.changed),
      Unchanged: ({ devices }) => String(devices.unchanged),
      Failed: ({ devices }) => String(devices.failed),
    },
    'The hosted service has no projects.',
    report,
  )
  for (const { slug, devices } of projects)
    for (const { device_serial, error } of devices.failures)
      cli.output.say(`${slug}${device_serial === '' ? '' : ` ${device_serial}`}: ${error}.`)
  for (const { name, outcome, secret } of [...members, ...webhooks])
    cli.output.say(`${name}: ${outcome}${secret === undefined ? '' : `, secret ${secret}`}.`)
  const failed = projects.reduce((sum, { devices }) => sum + devices.failed, 0)
  const taken = projects.filter(({ key }) => key === 'taken by another project').length
  const text = `${counted(projects.length, 'project')}${report.dry_run ? ' checked' : ' moved'}, ${counted(failed, 'device')} failed, ${counted(taken, 'key')} taken.`
  if (failed + taken === 0) cli.output.done(text)
  else {
    cli.output.notice(text)
    cli.exitCode = 1
  }
}
