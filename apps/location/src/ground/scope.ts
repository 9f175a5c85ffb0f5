/** Whose request it is, in the names that operations have for it. */
export interface Scope {
  readonly organization_id: string
  readonly project_id: string
}
