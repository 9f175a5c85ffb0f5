import { useState } from 'react'
import { counted } from '../ground/amounts.js'
import { client } from '../ground/client.js'
import { queryClient } from '../ground/query-client.js'
import { useScope } from '../ground/scope.js'
import { useUrlState } from '../ground/url-state.js'
import { useAction } from '../ground/use-action.js'
import { useInput } from '../ground/use-input.js'
import { Check } from '../parts/choice.js'
import { AsCommand, Command } from '../parts/command.js'
import { DialogButton } from '../parts/dialog-button.js'
import { Field } from '../parts/field.js'
import { FormDialog } from '../parts/form-dialog.js'
import { parseBox } from '../parts/map/geometry.js'
import { Card } from '../parts/page.js'
import { Select } from '../parts/select.js'

/** Meters of a degree of latitude. */
const DEGREE_METERS = 111_195
const MOST_RADIUS = 100_000

const KINDS = [
  { id: 'access-point', text: 'One access point' },
  { id: 'area', text: 'All access points of an area' },
  { id: 'cell', text: 'One radio cell' },
] as const
type Kind = (typeof KINDS)[number]['id']

const RADIOS = ['gsm', 'wcdma', 'lte', 'nr'] as const
type Radio = (typeof RADIOS)[number]

/** Erases access points and cells, and says how to export them. */
export function EraseCard() {
  const { organizationSlug } = useScope()
  const [erased, setErased] = useState<string>()
  return (
    <Card
      title="Erase and export"
      about="Erasing is permanent: neither an import nor an observation brings an access point back."
    >
      {erased !== undefined && (
        <p className="notice good" role="status">
          {erased}
        </p>
      )}
      <div>
        <DialogButton
          look="danger"
          permission="access-point:forget"
          dialog={(close) => <EraseDialog onErased={setErased} onClose={close} />}
        >
          Erase access points
        </DialogButton>
      </div>
      <h3>All of your own, as a file</h3>
      <Command
        text={`bearing --org ${organizationSlug} access-points export --format csv > access-points.csv`}
      />
    </Card>
  )
}

function EraseDialog({
  onErased,
  onClose,
}: {
  readonly onErased: (text: string) => void
  readonly onClose: () => void
}) {
  const { organizationSlug: organization } = useScope()
  const area = useAreaInView()
  const [kind, kindInput] = useInput<Kind>('access-point')
  const [mac, macInput] = useInput('')
  const [circle, circleInput] = useInput(area)
  const [cell, setCell] = useState(['', '', '', ''])
  const [radio, setRadio] = useState<Radio>('lte')
  const [isSure, setSure] = useState(false)
  const [lat = NaN, lon = NaN, radius = NaN] = circle.split(',').map(Number)
  const [mcc = '', mnc = '', lac = '', id = ''] = cell
  const identity = {
    radioType: radio,
    mobileCountryCode: Number(mcc),
    mobileNetworkCode: Number(mnc),
    locationAreaCode: Number(lac),
    cellId: Number(id),
  }
  const action = useAction(async () => {
    const { removed } =
      kind === 'access-point'
        ? await client.call('forgetAccessPoint', { organization, macAddress: mac.trim() })
        : kind === 'area'
          ? await client.call('forgetArea', { organization, lat, lon, radius })
          : await client.call('forgetCell', { organization, ...identity })
    onErased(`Erased. ${counted(removed, 'station')} had a position.`)
    await queryClient.invalidateQueries()
    onClose()
  })
  const bearing = `bearing --org ${organization}`
  return (
    <FormDialog
      title="Erase access points"
      isAlert
      action={action}
      verb="Erase"
      look="danger primary"
      isDisabled={!isSure}
      onClose={onClose}
    >
      <Select label="What to erase" {...kindInput} options={KINDS} />
      {kind === 'access-point' && (
        <>
          <Field
            label="MAC address"
            name="macAddress"
            placeholder="00:1a:2b:3c:4d:5e"
            isRequired
            {...macInput}
          />
          <AsCommand
            bearing={`${bearing} access-points erase ${mac.trim() || '00:1a:2b:3c:4d:5e'}`}
            call={['forgetAccessPoint', { organization, macAddress: mac.trim() || '00:1a:2b:3c:4d:5e' }]}
          />
        </>
      )}
      {kind === 'area' && (
        <>
          <Field
            label="Latitude, longitude, radius in meters"
            name="radius"
            hint="At first what the map shows. Later imports and observations leave out what lies there."
            isRequired
            pattern="-?[0-9.]+, *-?[0-9.]+, *[0-9.]+"
            {...circleInput}
          />
          <AsCommand
            bearing={`${bearing} access-points erase --area ${circle} --confirm ${circle}`}
            call={['forgetArea', { organization, lat, lon, radius }]}
          />
        </>
      )}
      {kind === 'cell' && (
        <>
          <CellFields radio={radio} onRadio={setRadio} cell={cell} onCell={setCell} />
          <AsCommand
            bearing={`${bearing} cells erase ${[radio, mcc || '262', mnc || '1', lac || '7001', id || '25600001'].join(',')}`}
            call={['forgetCell', { organization, ...identity }]}
          />
        </>
      )}
      <Check
        text="Erase it permanently"
        hint="It cannot be undone, and cannot be imported again."
        isChecked={isSure}
        onChange={setSure}
      />
    </FormDialog>
  )
}

/** Names a radio cell: radio, country, network, area, cell. */
function CellFields({
  radio,
  onRadio,
  cell,
  onCell,
}: {
  readonly radio: Radio
  readonly onRadio: (radio: Radio) => void
  readonly cell: readonly string[]
  readonly onCell: (cell: string[]) => void
}) {
  return (
    <>
      <Select
        label="Radio"
        value={radio}
        onChange={onRadio}
        options={RADIOS.map((one) => ({ id: one, text: one.toUpperCase() }))}
      />
      <div className="pair">
        {CELL_FIELDS.map(([name, label], at) => (
          <Field
            key={name}
            {...DIGITS}
            label={label}
            name={name}
            value={cell[at] ?? ''}
            onChange={(text) => onCell(cell.map((old, index) => (index === at ? text : old)))}
          />
        ))}
      </div>
    </>
  )
}

const CELL_FIELDS = [
  ['mobileCountryCode', 'Country code'],
  ['mobileNetworkCode', 'Network code'],
  ['locationAreaCode', 'Area code'],
  ['cellId', 'Cell id'],
] as const
const DIGITS = { inputMode: 'numeric', pattern: '[0-9]+', isRequired: true } as const

/** Returns the circle inside what the map shows, as the fields of an area take it. */
function useAreaInView(): string {
  const [{ bbox }] = useUrlState(['bbox'])
  const box = parseBox(bbox)
  const [lat, lon] = box ? [(box.south + box.north) / 2, (box.west + box.east) / 2] : [48.137, 11.575]
  const height = box ? (box.north - box.south) * DEGREE_METERS : 200
  const radius = Math.max(1, Math.min(MOST_RADIUS, Math.round(height / 2)))
  return [lat.toFixed(5), lon.toFixed(5), String(radius)].join(',')
}
