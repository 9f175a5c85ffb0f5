import { CopyButton } from '../parts/copy-button.js'

/** The exact list that results, as text that the command line takes. */
export function PermissionPreview({ permissions }: { readonly permissions: readonly string[] }) {
  const list = permissions.join(',')
  return (
    <details>
      <summary>
        Exactly{' '}
        {permissions.length === 1 ? 'one permission' : `these ${String(permissions.length)} permissions`}
      </summary>
      <div className="row">
        <code>{permissions.join(', ')}</code>
        <CopyButton text={list} of="the permissions" />
      </div>
    </details>
  )
}
