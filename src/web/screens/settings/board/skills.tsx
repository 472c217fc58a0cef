import { SettingsSection } from '../parts.tsx'
import { Skills } from '../skills/list.tsx'
import type { PartProps } from './data.ts'
import { MEMBERS_ONLY } from './parts.tsx'
import { Versions } from './versions.tsx'

const ABOUT =
  'Instructions that everybody on this board can call by name: with a slash in a chat, with an @ ' +
  'in a comment. Agents can read those that are on.'

export default function BoardSkills({ board, may }: PartProps) {
  const { project_id } = board
  return (
    <SettingsSection title="Skills" about={ABOUT} readOnly={!may.write && MEMBERS_ONLY}>
      <Skills key={project_id} owner={{ scope: 'project', project_id }} may={may.write} />
      <Versions {...{ project_id, kind: 'skill' }} may={may.write} />
    </SettingsSection>
  )
}
