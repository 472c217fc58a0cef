import type { Me } from '../frame/places.ts'

/** Where reports begin that are of one board. */
export const boardOf = ({ profile, boards }: Me): number | undefined =>
  profile.default_board ?? boards[0]?.project_id

export const titleOf = ({ boards }: Me, project_id: number | undefined): string =>
  boards.find((one) => one.project_id === project_id)?.title ?? 'this board'

/** Guests look on; who may read only is not offered to write. */
export const mayWrite = ({ permissions, teams, boards }: Me, project_id: number): boolean => {
  const team = boards.find((one) => one.project_id === project_id)?.team_id
  const role = teams.find(({ team_id }) => team_id === team)?.role
  return permissions.includes('projects:write') && role !== 'guest'
}

/** Where a picture or a file goes: to whoever asked, by its name. */
export function save(name: string, file: Blob) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
