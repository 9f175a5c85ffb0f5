import type { AttributeType } from '@bearing/contracts/management/devices/device-attribute'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { count, counted } from '../ground/amounts.js'
import { calling } from '../ground/calling.js'
import { installation } from '../ground/queries.js'
import { useScope } from '../ground/scope.js'
import { Button } from '../parts/button.js'
import { AsCommand, quoted } from '../parts/command.js'
import { DialogButton } from '../parts/dialog-button.js'
import { Empty } from '../parts/list.js'
import { Loaded } from '../parts/loaded.js'
import { Problem } from '../parts/problem.js'
import { Select } from '../parts/select.js'
import { columnsFor } from './columns.js'
import { DeleteMatchingDialog } from './delete-matching-dialog.js'
import { familyOf, filterOf, flagsOf, NO_FILTER, ROWS, rowsOf, type Device } from './device-filter.js'
import { DeviceFilters, MoreFilters } from './device-filters.js'
import { devicesOf } from './device-queries.js'
import { DeviceTable } from './device-table.js'
import { SelectionBar } from './selection-bar.js'
import { useExport, type Export } from './use-export.js'
import { useListState } from './use-list-state.js'

/** Interval between reads of an empty list, in milliseconds. */
const RECHECK_MS = 3_000
const NONE: ReadonlyMap<string, Device> = new Map()

interface Props {
  readonly attributes: readonly { readonly name: string; readonly type: AttributeType }[]
}

/** Filters, and the page of devices that they select. */
export function DeviceList({ attributes }: Props) {
  const { organizationSlug: organization, projectSlug: project, refused } = useScope()
  const { state, select, open } = useListState()
  const [chosen, setChosen] = useState(NONE)
  const list = useQuery({
    ...devicesOf(organization, project, state),
    // The first device appears without a reload.
    refetchInterval: ({ state: { data } }) => (data?.data.length === 0 ? RECHECK_MS : false),
  })
  const mayDelete = !refused('device:delete')
  const isFiltered = Object.keys(filterOf(state)).length > 0
  const columns = columnsFor(attributes.map(({ name }) => name))
  const exported = useExport(new Map(attributes.map(({ name, type }) => [name, type])), state)
  const first = Math.max(1, Number(state.from) || 1)
  const change = (next: Parameters<typeof select>[0]) => {
    setChosen(NONE)
    select(next)
  }
  return (
    <section className="stack" aria-label="Devices">
      <div className="row filters">
        <DeviceFilters state={state} onChange={change} />
      </div>
      <details open={isFiltered && !state.q && !state.silent_for && !state.seen}>
        <summary>More filters</summary>
        <div className="row filters">
          <MoreFilters state={state} onChange={change} />
        </div>
      </details>
      {familyOf(state) !== undefined && (
        <p className="quiet">
          Serial numbers and values of an attribute can be combined, and times with one version. Clear the
          filters to use the others.{' '}
          <Button look="small" onPress={() => change(NO_FILTER)}>
            Clear the filters
          </Button>
        </p>
      )}
      <Loaded query={list}>
        {({ data, paging, next }) =>
          data.length === 0 && !isFiltered && state.cursor === '' ? (
            <NoDevices />
          ) : (
            <>
              <div className="row spread">
                <p className="quiet" role="status">
                  {amountOf(paging, first, data.length)}
                </p>
                {data.length > 0 && (
                  <div className="row">
                    <ExportButton running={exported} />
                    {mayDelete && isFiltered && (
                      <DialogButton
                        look="small danger"
                        dialog={(close) => <DeleteMatchingDialog onClose={close} />}
                      >
                        Delete all that match …
                      </DialogButton>
                    )}
                  </div>
                )}
              </div>
              <Problem error={exported.error} />
              {chosen.size > 0 && <SelectionBar chosen={chosen} onChange={setChosen} />}
              {data.length === 0 ? (
                <p className="empty">No device matches. Clear the filters, or look in another project.</p>
              ) : (
                <DeviceTable
                  devices={data}
                  columns={columns}
                  first={first}
                  isOld={list.isPlaceholderData}
                  selection={mayDelete ? { chosen, onChange: setChosen } : undefined}
                />
              )}
              <nav className="row spread" aria-label="Pages of the list">
                <div className="row">
                  <Button look="small" isDisabled={state.cursor === ''} onPress={() => open('', 1)}>
                    First page
                  </Button>
                  <Button
                    look="small"
                    isDisabled={next === null}
                    onPress={() => open(next ?? '', first + data.length)}
                  >
                    Next page
                  </Button>
                </div>
                <Select
                  label="Rows on a page"
                  isLabelHidden
                  value={String(rowsOf(state))}
                  options={ROWS.map((id) => ({ id, text: `${count(Number(id))} rows` }))}
                  onChange={(rows) => select({ rows: rows === ROWS[0] ? '' : rows })}
                />
              </nav>
            </>
          )
        }
      </Loaded>
      <ListCommand />
    </section>
  )
}

/** The list as a command. */
function ListCommand() {
  const { organizationSlug, projectSlug } = useScope()
  const { state } = useListState()
  const config = useQuery(installation)
  const flags = flagsOf(state)
  const sort = state.sort === '' ? '' : ` --sort=${quoted(state.sort)}`
  const query = new URLSearchParams(filterOf(state) as Record<string, string>).toString()
  return (
    <AsCommand
      {...(flags !== undefined && {
        bearing: `bearing --org ${organizationSlug} --project ${projectSlug} devices list${flags}${sort}`,
      })}
      curl={`curl --header "Authorization: Bearer $BEARING_ORG_TOKEN" \\\n  '${config.data?.public_url ?? ''}/api/v0/organizations/${organizationSlug}/projects/${projectSlug}/devices${query === '' ? '' : `?${query}`}'`}
    />
  )
}

function ExportButton({ running: { isPending, read, run, stop } }: { readonly running: Export }) {
  if (!isPending)
    return (
      <Button look="small" onPress={() => void run()}>
        Export CSV
      </Button>
    )
  return (
    <>
      <p className="quiet" role="status">
        {counted(read, 'device')} read
      </p>
      <Button look="small" onPress={stop}>
        Stop
      </Button>
    </>
  )
}

function amountOf(
  { total_count, total_is_minimum }: { total_count: number; total_is_minimum?: boolean | undefined },
  first: number,
  shown: number,
): string {
  const total =
    total_is_minimum === true ? `more than ${count(total_count)} devices` : counted(total_count, 'device')
  return shown === total_count ? total : `${count(first)} to ${count(first + shown - 1)} of ${total}`
}

/** Shows, for a project without devices, one command that makes the first one appear. */
function NoDevices() {
  const { organizationSlug: organization, projectSlug: project, refused } = useScope()
  const config = useQuery(installation)
  const key = useQuery({
    ...calling(['project-key', organization, project], 'showProjectKey', { organization, project }),
    enabled: !refused('project-key:read'),
  })
  return (
    <Empty
      title="No devices yet"
      command={`curl --header "${config.data?.project_key_header ?? ''}: ${key.data?.api_key ?? '$PROJECT_KEY'}" --header "Content-Type: application/octet-stream" \\\n  --data-binary hello ${config.data?.public_url ?? ''}/api/v0/chunks/DEMO-1`}
    >
      This sends five bytes as the device DEMO-1, with the key of this project. The list shows it within
      seconds.
    </Empty>
  )
}
