import { t } from '../../../messages/t.ts'
import { SettingsSection } from '../parts.tsx'
import { Skills } from '../skills/list.tsx'
import type { PartProps } from './data.ts'
import { MEMBERS_ONLY } from './parts.tsx'
import { Versions } from './versions.tsx'

const ABOUT = t('settings.about_board_skills')

export default function BoardSkills({ board, may }: PartProps) {
  const { project_id } = board
  return (
    <SettingsSection
      title={t('settings.skills')}
      about={ABOUT}
      readOnly={!may.write && MEMBERS_ONLY}
    >
      <Skills key={project_id} owner={{ scope: 'project', project_id }} may={may.write} />
      <Versions {...{ project_id, kind: 'skill' }} may={may.write} />
    </SettingsSection>
  )
}
