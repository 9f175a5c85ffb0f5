import { ATTRIBUTE_TYPES, type AttributeType } from '@bearing/contracts/management/devices/device-attribute'
import { Option, type Command } from 'commander'
import type { Cli } from '../cli.js'
import { addConfirmFlags, confirmTyped, type ConfirmFlags } from '../confirm-typed.js'
import { addLimit, type LimitFlag } from '../limit.js'
import { moment } from '../output/format.js'

/** `bearing devices attributes list`, `declare` and `delete` */
export function addAttributes(devices: Command, cli: Cli): void {
  const attributes = devices
    .command('attributes')
    .description('attributes that devices of a project can have')
  addLimit(attributes.command('list'))
    .description('list the attributes of a project')
    .action(async ({ limit }: LimitFlag) => {
      const { client, organization, project } = await cli.session()
      const found = await client.listAll('listAttributes', { organization, project }, { limit })
      cli.output.table(
        found,
        [
          ['Name', ({ name }) => name],
          ['Type', ({ type }) => type],
          ['Declared', ({ created_at }) => moment(created_at)],
        ],
        'No attributes are declared. Declare one: bearing devices attributes declare <name>',
      )
    })
  attributes
    .command('declare')
    .description('declare an attribute; a project can declare 64')
    .argument('<name>', 'a–z, 0–9 and "_", at most 64')
    .addOption(new Option('--type <type>', 'type of the values (default: string)').choices(ATTRIBUTE_TYPES))
    .action(async (attribute: string, { type = 'string' }: { type?: AttributeType }) => {
      const { client, organization, project } = await cli.session()
      const declared = await client.call('declareAttribute', { organization, project, attribute, type })
      cli.output.done('Attribute declared.')
      cli.output.record(
        { Name: declared.name, Type: declared.type, Declared: moment(declared.created_at) },
        declared,
      )
    })
  addConfirmFlags(attributes.command('delete'), 'name')
    .description('delete an attribute and its values from all devices; this cannot be undone')
    .argument('<name>', 'name of the attribute')
    .action(async (attribute: string, flags: ConfirmFlags) => {
      const warning = `All devices of the project lose their values of ${attribute}.`
      await confirmTyped(cli, attribute, warning, flags)
      const { client, organization, project } = await cli.session()
      await client.call('deleteAttribute', { organization, project, attribute })
      cli.output.done('Attribute deleted.')
    })
}
