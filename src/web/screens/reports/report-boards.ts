import type { Me } from '../../entities/user/me.ts'
import { t } from '../../messages/t.ts'

/** The board that reports show at first. */
export const defaultBoard = ({ profile, boards }: Me): number | undefined =>
  profile.default_board ?? boards[0]?.project_id

export const boardTitle = ({ boards }: Me, project_id: number | undefined): string =>
  boards.find((one) => one.project_id === project_id)?.title ?? t('reports.this_board')

/** Guests and users without the scope `projects:write` cannot write reports. */
export const canWriteReports = (
  { permissions, teams, boards }: Me,
  project_id: number,
): boolean => {
  const team = boards.find((one) => one.project_id === project_id)?.team_id
  const role = teams.find(({ team_id }) => team_id === team)?.role
  return permissions.includes('projects:write') && role !== 'guest'
}
