import { ATTRIBUTE_TYPES, type AttributeType } from '@bearing/contracts/management/devices/device-attribute'
import { Option } from 'commander'
import { verb } from '../session/verb.js'
import { addConfirmFlags, confirmTyped, type ConfirmFlags } from '../session/confirm-typed.js'
import { addLimit, type LimitFlag } from '../ground/arguments.js'
import { moment } from '../ground/output/format.js'

verb('devices attributes list', {}, (command, cli) =>
  addLimit(command)
    .description('list the attributes of a project')
    .action(async ({ limit }: LimitFlag) => {
      const { client, organization, project } = await cli.session()
      const found = await client.listAll('listAttributes', { organization, project }, { limit })
      cli.output.table(
        found,
        { Name: 'name', Type: 'type', Declared: 'created_at' },
        'No attributes are declared. Declare one: bearing devices attributes declare <name>',
      )
    }),
)

verb('devices attributes declare', { examples: ['customer --type string'] }, (command, cli) =>
  command
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
    }),
)

verb('devices attributes delete', { examples: ['customer'] }, (command, cli) =>
  addConfirmFlags(command, 'name')
    .description('delete an attribute and its values from all devices; this cannot be undone')
    .argument('<name>', 'name of the attribute')
    .action(async (attribute: string, flags: ConfirmFlags) => {
      const warning = `All devices of the project lose their values of ${attribute}.`
      await confirmTyped(cli, attribute, warning, flags)
      const { client, organization, project } = await cli.session()
      await client.call('deleteAttribute', { organization, project, attribute })
      cli.output.done('Attribute deleted.')
    }),
)
