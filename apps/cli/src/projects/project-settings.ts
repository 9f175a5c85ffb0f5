import type { CallOutput } from '@bearing/client/call-types'
import { Option, type Command } from 'commander'
import type { Cli } from '../cli.js'

interface Flags {
  readonly keyMayLocate?: 'yes' | 'no'
}

const SLUG = ['[slug]', 'slug of the project (default: --project)'] as const

/** `bearing projects settings show` and `set` */
export function addProjectSettings(projects: Command, cli: Cli): void {
  const settings = projects.command('settings').description("a project's settings")
  const show = async (slug: string | undefined) => {
    const session = await cli.session()
    const { client, organization } = session
    print(cli, await client.call('showProjectSettings', { organization, project: slug ?? session.project }))
  }
  settings
    .command('show')
    .description("show a project's settings")
    .argument(...SLUG)
    .action(show)
  settings
    .command('set', { isDefault: true }) // the command was once "settings"
    .description("change a project's settings; without flags it shows them")
    .argument(...SLUG)
    .addOption(
      new Option('--key-may-locate <answer>', 'allow its project key to locate').choices(['yes', 'no']),
    )
    .action(async (slug: string | undefined, { keyMayLocate }: Flags) => {
      if (keyMayLocate === undefined) return show(slug)
      const session = await cli.session()
      const { client, organization } = session
      const changed = await client.call('changeProjectSettings', {
        ...{ organization, project: slug ?? session.project },
        project_key_may_locate: keyMayLocate === 'yes',
      })
      cli.output.done('Project settings changed.')
      print(cli, changed)
    })
}

function print({ output }: Cli, settings: CallOutput<'showProjectSettings'>): void {
  const answer = settings.project_key_may_locate ? 'yes' : 'no'
  output.record({ 'Project key may locate': answer }, settings)
}
