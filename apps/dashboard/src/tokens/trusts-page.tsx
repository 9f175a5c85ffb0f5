import { platformOf } from '@bearing/contracts/identity/workloads/workload-platforms'
import { MAX_TRUSTS } from '@bearing/contracts/identity/workloads/workload-trust'
import { useQuery } from '@tanstack/react-query'
import { counted } from '../ground/amounts.js'
import { makeCall, listing } from '../ground/calling.js'
import { useScope } from '../ground/scope.js'
import { whoCan } from '../ground/who-can.js'
import { AddButton } from '../parts/add-button.js'
import { ConfirmButton } from '../parts/confirm.js'
import { DialogButton } from '../parts/dialog-button.js'
import { HistoryLink } from '../parts/history-link.js'
import { Empty } from '../parts/list.js'
import { Loaded } from '../parts/loaded.js'
import { Page } from '../parts/page.js'
import { Table } from '../parts/table.js'
import { Time } from '../parts/time.js'
import { claimLines, DerivedTokens } from './derived-tokens.js'
import { wordsFor } from './presets.js'
import { TrustDialog } from './trust-dialog.js'
import type { Trust } from './trust-draft.js'

/** `…/admin/trusts`: workloads that get tokens without a stored secret. */
export function TrustsPage() {
  const { organizationSlug: organization, refused } = useScope()
  const queryKey = ['trusts', organization]
  const trusts = useQuery({
    ...listing(queryKey, 'listWorkloadTrusts', { organization, per_page: MAX_TRUSTS }),
    enabled: !refused('workload-trust:read'),
  })
  return (
    <Page
      title="Workload trusts"
      about="CI jobs and pods exchange the token of their platform for an organization auth token. No secret is stored anywhere."
      action={
        <AddButton permission="workload-trust:manage" dialog={(close) => <TrustDialog onClose={close} />}>
          Create
        </AddButton>
      }
    >
      {refused('workload-trust:read') ? (
        <p className="notice">Only for {whoCan('workload-trust:read')}.</p>
      ) : (
        <Loaded query={trusts}>
          {(list) =>
            list.length === 0 ? (
              <Empty title="No trusts yet">
                Create one here for GitHub Actions, GitLab, Buildkite, Kubernetes or Google Cloud.
              </Empty>
            ) : (
              <TrustTable trusts={list} />
            )
          }
        </Loaded>
      )}
    </Page>
  )
}

function TrustTable({ trusts }: { readonly trusts: readonly Trust[] }) {
  return (
    <Table
      rows={trusts}
      idOf={({ id }) => id}
      columns={[
        {
          title: 'Name',
          isRowHeader: true,
          sortBy: ({ name }) => name,
          cell: (trust) => <Name trust={trust} />,
        },
        { title: 'Required claims', cell: (trust) => <Claims trust={trust} /> },
        { title: 'May do', cell: (trust) => <Powers trust={trust} /> },
        {
          title: 'Last exchange',
          sortBy: ({ last_exchange_at }) => last_exchange_at,
          cell: ({ last_exchange_at }) =>
            last_exchange_at === null ? (
              <span className="quiet">none within a week</span>
            ) : (
              <Time at={last_exchange_at} />
            ),
        },
        {
          title: 'Actions',
          isActions: true,
          cell: (trust) => <Actions trust={trust} />,
        },
      ]}
    />
  )
}

function Name({ trust: { id, name, platform, issuer, created_at } }: { readonly trust: Trust }) {
  return (
    <div className="stack-s">
      {name}
      <small>
        {platformOf(platform).text} · {issuer}
        <br />
        created <Time at={created_at} /> · <HistoryLink target={`workload_trust:${id}`} of={name} />
      </small>
      <DerivedTokens id={id} of={name} title="Tokens" />
    </div>
  )
}

function Claims({ trust: { audience, claims, single_use } }: { readonly trust: Trust }) {
  return (
    <small>
      {[`aud=${audience}`, ...claimLines(claims)].map((line) => (
        <code key={line} className="stack-s">
          {line}
        </code>
      ))}
      {single_use && 'each token once'}
    </small>
  )
}

function Powers({ trust }: { readonly trust: Trust }) {
  const { permissions, project_ids, administers, lifetime_seconds } = trust
  return (
    <>
      <span title={permissions.join(', ')}>{wordsFor(permissions)}</span>
      {administers && <span className="badge attention">administers</span>}
      <br />
      <small>
        {project_ids === null ? 'all projects' : counted(project_ids.length, 'project')} · for{' '}
        {counted(Math.round(lifetime_seconds / 60), 'minute')}
      </small>
    </>
  )
}

function Actions({ trust }: { readonly trust: Trust }) {
  const { organizationSlug: organization } = useScope()
  return (
    <div className="row">
      <DialogButton
        look="small"
        permission="workload-trust:manage"
        aria-label={`Change ${trust.name}`}
        dialog={(close) => <TrustDialog trust={trust} onClose={close} />}
      >
        Change
      </DialogButton>
      <ConfirmButton
        look="small danger"
        permission="workload-trust:manage"
        text="Delete"
        label={`Delete ${trust.name}`}
        title={`Delete “${trust.name}”?`}
        verb="Delete"
        onConfirm={() =>
          makeCall('deleteWorkloadTrust', { organization, trust_id: trust.id }, ['trusts', organization])
        }
      >
        <p>Its workloads get no more tokens. The tokens that they have end immediately.</p>
      </ConfirmButton>
    </div>
  )
}
