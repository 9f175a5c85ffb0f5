import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { UsageError } from '../usage-error.js'
import { ContextStore, isSameServer, type Context } from './context-store.js'

/** `bearing context set` */
export function addSetContext(context: Command, cli: Cli): void {
  context
    .command('set')
    .description('change the organization and the project of a context to --org and --project')
    .argument('<context>', 'name of the context, from "bearing context list"')
    .addHelpText(
      'after',
      `
Only flags count, because variables such as BEARING_ORG are for other commands. Another --org without --project leaves the
context without a project. The server stays: a login is for one server. For another one, create another context.`,
    )
    .action((name: string) => {
      const contexts = new ContextStore(cli.terminal.environment.configFolder)
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
    })
}

/** A project belongs to its organization: the one of another organization is not kept. */
function withOrganization({ organization, project }: Context, other: string): Partial<Context> {
  return { organization: other, project: organization === other ? project : undefined }
}
