import { useScope } from '../ground/scope.js'
import { PermittedButton } from '../parts/button.js'
import { ConfirmButton } from '../parts/confirm.js'
import { CopyButton } from '../parts/copy-button.js'
import { Problem } from '../parts/problem.js'
import { useSave } from '../parts/save-form.js'
import { Time } from '../parts/time.js'
import type { Domain } from './connection.js'

/** An email domain: how to verify it, and whether it is. */
export function DomainRow({ domain: { domain, txt_record, verified_at } }: { readonly domain: Domain }) {
  const { organizationSlug: organization } = useScope()
  const queryKey = ['sso-domains', organization]
  const verify = useSave('verifySsoDomain', { organization, domain }, queryKey)
  const remove = useSave('deleteSsoDomain', { organization, domain }, queryKey)
  return (
    <li className="stack-s">
      <div className="row spread">
        <span className="row">
          <strong>{domain}</strong>
          {verified_at === null ? (
            <span className="badge attention">not verified</span>
          ) : (
            <small>
              verified <Time at={verified_at} />
            </small>
          )}
        </span>
        <span className="row">
          {verified_at === null && (
            <PermittedButton
              look="small"
              permission="sso-domain:manage"
              aria-label={`Verify ${domain}`}
              isPending={verify.isPending}
              onPress={() => void verify.run()}
            >
              Verify
            </PermittedButton>
          )}
          <ConfirmButton
            permission="sso-domain:manage"
            look="small danger"
            text="Remove"
            label={`Remove ${domain}`}
            title={`Remove ${domain}?`}
            verb="Remove"
            onConfirm={remove.make}
          >
            <p>Members stay members. The sign-in page no longer offers your provider to these addresses.</p>
          </ConfirmButton>
        </span>
      </div>
      {verified_at === null && (
        <>
          <p className="quiet">Add this TXT record to the DNS of {domain}. It is not a secret.</p>
          <div className="command">
            <pre>{txt_record}</pre>
            <div>
              <CopyButton text={txt_record} of={`the TXT record of ${domain}`} label="Copy" look="small" />
            </div>
          </div>
        </>
      )}
      <Problem error={verify.error} />
    </li>
  )
}
