import { useState } from 'react'
import { counted, count } from '../ground/amounts.js'
import { client } from '../ground/client.js'
import { useScope } from '../ground/scope.js'
import { utcMinute } from '../ground/time.js'
import { whoCan } from '../ground/who-can.js'
import { Button } from '../parts/button.js'
import { AsCommand } from '../parts/command.js'
import { Copied, Facts } from '../parts/facts.js'
import { CursorPages, Empty, List } from '../parts/list.js'
import { Loaded } from '../parts/loaded.js'
import { Page } from '../parts/page.js'
import { Table } from '../parts/table.js'
import { Time } from '../parts/time.js'
import { useList } from '../parts/use-list.js'
import { AuditFilters } from './audit-filters.js'
import { commandOf, exportAddress, FILTERS, queryOf, type Filter } from './audit-query.js'
import { type Entry, changesOf } from './entry.js'
import { Sentence } from './sentence.js'
import { VerifyCard } from './verify-card.js'

const PER_PAGE = 50

/** `…/admin/audit-log`. */
export function AuditPage() {
  const { organizationSlug: organization, refused } = useScope()
  const [isVerifying, setVerifying] = useState(false)
  const isRefused = refused('audit-log:read') !== undefined
  const { page, filter, change, onPrevious, onNext } = useList({
    name: ['audit', organization],
    filters: FILTERS,
    read: (wanted, place, signal) =>
      client.call(
        'listAuditEntries',
        { organization, per_page: PER_PAGE, ...queryOf(wanted), ...place },
        { signal },
      ),
    isEnabled: !isRefused,
  })
  if (isRefused)
    return (
      <Page title="Audit log">
        <p className="notice">Only {whoCan('audit-log:read')} can read the audit log.</p>
      </Page>
    )
  const paging = page.data?.paging
  return (
    <Page
      title="Audit log"
      about="What happened, who did it and from where. Each row contains the hash of the row before, so a changed or removed row shows."
      action={
        <div className="row">
          <Button onPress={() => setVerifying(true)}>Verify the chain</Button>
          <a
            className="button"
            href={exportAddress(organization, filter)}
            download={`${organization}-audit-log.ndjson`}
          >
            Export
          </a>
        </div>
      }
    >
      {isVerifying && <VerifyCard organization={organization} onClose={() => setVerifying(false)} />}
      <List
        label="Audit events"
        filters={<AuditFilters filter={filter} onChange={change} />}
        count={paging && counted(paging.total_count, 'event', paging.total_is_minimum)}
        isStale={page.isPlaceholderData}
        pages={<CursorPages onPrevious={onPrevious} onNext={onNext} />}
      >
        <Loaded query={page} lines={8}>
          {({ data }) =>
            data.length === 0 ? (
              <Empty title="Nothing matches" command={commandOf(organization, filter)}>
                Take a filter away, or look with the command line:
              </Empty>
            ) : (
              <EntryTable entries={data} />
            )
          }
        </Loaded>
      </List>
      <SameElsewhere filter={filter} />
    </Page>
  )
}

function EntryTable({ entries }: { readonly entries: readonly Entry[] }) {
  return (
    <Table
      rows={entries}
      idOf={({ id }) => id}
      columns={[
        {
          title: 'When',
          cell: ({ at }) => (
            <>
              <Time at={at} />
              <br />
              <small className="nowrap">{utcMinute(at)}</small>
            </>
          ),
        },
        { title: 'What happened', isRowHeader: true, cell: (entry) => <Sentence entry={entry} /> },
        { title: 'From', cell: ({ address }) => address ?? <span className="quiet">inside</span> },
        { title: 'Details', isActions: true, cell: (entry) => <EntryDetails entry={entry} /> },
      ]}
    />
  )
}

function SameElsewhere({ filter }: { readonly filter: Filter }) {
  const { organizationSlug: organization } = useScope()
  return (
    <AsCommand
      bearing={commandOf(organization, filter)}
      call={['listAuditEntries', { organization, ...queryOf(filter) }]}
    />
  )
}

/** Everything else about an event. Rendered when it is opened: a page has many rows. */
function EntryDetails({ entry }: { readonly entry: Entry }) {
  const [isOpen, setOpen] = useState(false)
  const { id, action, target, service, request_id, address, actor_credential_id, sequence, hash } = entry
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        Details <span className="visually-hidden">of {action}</span>
      </summary>
      {isOpen && (
        <Facts
          facts={{
            ...Object.fromEntries(changesOf(entry).rest),
            Action: <Copied text={action} of="Action" />,
            Target: <Copied text={target} of="Target" />,
            'IP address': address,
            'Request id': <Copied text={request_id} of="Request id" />,
            Credential: actor_credential_id !== null && <Copied text={actor_credential_id} of="Credential" />,
            Service: service,
            Row: sequence === null ? 'before the chain' : count(sequence),
            'Row id': <Copied text={id} of="Row id" />,
            Hash: hash !== null && <Copied text={hash} of="Hash" />,
          }}
        />
      )}
    </details>
  )
}
