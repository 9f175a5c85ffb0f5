import { verb } from '../session/verb.js'
import { ContextStore, contextName, isSameServer, type Context } from '../session/context-store.js'
import { warningOfPreceding } from '../session/select-credential.js'
import { UsageError } from '../ground/usage-error.js'
import { endLogin } from './end-login.js'

verb('context list', {
  about: 'list your contexts',
  run: (cli) => {
    const { current, contexts } = new ContextStore(cli.terminal.environment.configFolder).read()
    const rows = Object.entries(contexts).map(([name, each]) => ({
      name,
      current: name === current,
      ...each,
    }))
    cli.output.table(
      rows,
      {
        '': (row) => (row.current ? '*' : ''),
        Context: 'name',
        Server: 'url',
        Organization: ({ organization = '' }) => organization,
        Project: ({ project = '' }) => project,
        User: ({ user = '' }) => user,
      },
      'There are no contexts. "bearing login" creates one.',
    )
  },
})

verb('context use', {
  about: 'use a context from now on',
  takes: { '<context>': 'name of the context, from "bearing context list"' },
  examples: ['staging'],
  run: (cli, { context: name }) => {
    const { configFolder, settings } = cli.terminal.environment
    const contexts = new ContextStore(configFolder)
    contexts.use(name)
    cli.output.done(`Commands use the context "${name}".`)
    const preceding = contexts.get(name).stored_in && warningOfPreceding(settings)
    if (preceding) cli.output.notice(preceding)
    if (cli.output.forPrograms) cli.output.record({}, { current: name })
  },
})

verb('context create', {
  about: 'create a context from --url, --org and --project, without signing in',
  takes: { '<name>': 'name of the new context' },
  examples: ['staging --url https://staging.example.com --org acme'],
  run: (cli, { name: text }) => {
    const name = contextName(text)
    const contexts = new ContextStore(cli.terminal.environment.configFolder)
    const { contexts: known, current } = contexts.read()
    if (Object.hasOwn(known, name))
      throw new UsageError(
        `There is a context "${name}" already.`,
        `"bearing context delete ${name}" deletes it.`,
      )
    const url = cli.setting('url')
    if (url === undefined || !URL.canParse(url))
      throw new UsageError('Which server? Give its URL with --url.')
    const created = {
      url,
      location_url: cli.setting('locationUrl'),
      organization: cli.setting('org'),
      project: cli.setting('project'),
    }
    contexts.put(name, created, current === undefined)
    cli.output.done(`Context created. "bearing login --context ${name}" signs in.`)
    cli.output.record({ Context: name, Server: url }, { name, ...created })
  },
})

verb('context set', {
  about: 'change the organization and the project of a context to --org and --project',
  takes: { '[context]': 'name of the context, from "bearing context list" (default: the current one)' },
  help: `Only flags count, because variables such as BEARING_ORG are for other commands. Another --org without --project leaves the
context without a project. The server stays: a login is for one server. For another one, create another context.`,
  examples: ['--project thermostats', 'staging --org acme --project thermostats'],
  run: (cli, { context: given }) => {
    const contexts = new ContextStore(cli.terminal.environment.configFolder)
    const name = given ?? contexts.read().current
    if (name === undefined)
      throw new UsageError(
        'There is no current context.',
        '"bearing login" or "bearing context use" selects one.',
      )
    const before = contexts.get(name)
    const { url, locationUrl, org, project } = cli.flags
    const isMoved =
      (url !== undefined && !isSameServer(url, before.url)) ||
      (locationUrl !== undefined && locationUrl !== before.location_url)
    if (isMoved)
      throw new UsageError(
        `The context "${name}" is for ${before.url}, and its login is sent to no other server.`,
        'Create another one with "bearing context create" or "bearing login --context".',
      )
    if (!org && !project) throw new UsageError('Nothing to change. Give --org or --project.')
    const changed: Context = {
      ...before,
      ...(org && withOrganization(before, org)),
      ...(project && { project }),
    }
    contexts.put(name, changed, false)
    cli.output.done('Context changed.')
    cli.output.record(
      {
        Context: name,
        Server: changed.url,
        Organization: changed.organization ?? 'none',
        Project: changed.project ?? 'none',
      },
      { name, ...changed },
    )
  },
})

/** A project belongs to its organization: the one of another organization is not kept. */
function withOrganization({ organization, project }: Context, other: string): Partial<Context> {
  return { organization: other, project: organization === other ? project : undefined }
}

verb('context delete', {
  about: 'sign out of a context and delete it',
  takes: { '<context>': 'name of the context, from "bearing context list"' },
  examples: ['staging'],
  question: 'Delete the context? Its login ends.',
  run: async (cli, { context: name }) => {
    const contexts = new ContextStore(cli.terminal.environment.configFolder)
    await endLogin(cli, { name, ...contexts.get(name) })
    contexts.delete(name)
    cli.output.done(`Context "${name}" deleted.`)
    if (cli.output.forPrograms) cli.output.record({}, { deleted: name })
  },
})
