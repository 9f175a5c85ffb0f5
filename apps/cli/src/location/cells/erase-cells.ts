import { verb } from '../../session/verb.js'
import { PERMANENT, printErased } from '../access-points/access-points-to-erase.js'
import { confirmFlags, confirmTyped } from '../../session/confirm-typed.js'
import { cellToErase } from './cell-to-erase.js'

verb('cells erase', {
  about: 'remove a radio cell of your organization permanently',
  takes: {
    ...confirmFlags('cell'),
    '<cell>': 'radio, mcc, mnc, area, cell, in this order: lte,262,1,7001,25600001',
  },
  help: `Neither an import nor an observation brings it back, and it cannot be undone. Look-ups stop finding it immediately, and
contributed and stored data soon after. "bearing access-points erase --area" also erases what was observed of cells in
an area. The base layer is the operator's: "bearing admin erase --cell".`,
  examples: ['lte,262,1,7001,25600001'],
  run: async (cli, { cell: text, ...flags }) => {
    const cell = cellToErase(text)
    await confirmTyped(cli, text, PERMANENT, flags)
    const { client, organization } = await cli.session()
    printErased(cli, await client.call('forgetCell', { organization, ...cell }), 'radio cell')
  },
})
