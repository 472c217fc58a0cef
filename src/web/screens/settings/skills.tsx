import { SettingsPage } from './parts.tsx'
import { Skills } from './skills/list.tsx'

const OWN = { scope: 'user' } as const

export default function OwnSkills() {
  return (
    <SettingsPage
      title="Skills"
      about={
        <>
          Instructions that you call by name, such as <code>/release-notes</code> in a chat. Only
          you see these. Board skills are in the settings of the board.{' '}
          <a href="/docs/manual/skills">How skills work</a>
        </>
      }
    >
      <Skills owner={OWN} may />
    </SettingsPage>
  )
}
