/** Scope of a request, in the names that operations have for it. */
export interface Scope {
  readonly organization_id: string
  readonly project_id: string
}
