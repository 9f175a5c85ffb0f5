import { refuseMistakes } from '@bearing/contracts/errors'

/** Refuses two roles in one project. @throws OperationError `invalid_input` */
export function refuseProjectsTwice({
  projects,
}: {
  readonly projects: readonly { readonly project_id: string }[]
}): void {
  const ids = projects.map(({ project_id }) => project_id)
  const errors = ids.flatMap((id, index) =>
    ids.indexOf(id) === index
      ? []
      : [{ pointer: `/projects/${String(index)}/project_id`, detail: 'must not be given twice' }],
  )
  refuseMistakes(errors)
}
