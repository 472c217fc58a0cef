import { SettingsPage } from './parts.tsx'
import { Skills } from './skills/list.tsx'

const OWN = { scope: 'user' } as const

export default function OwnSkills() {
  return (
    <SettingsPage
      title="Skills"
      about={
        <>
          Instructions that you call by their name: <code>/release-notes</code> in a chat. Nobody
          but you sees these; those of a board are in the settings of the board.{' '}
          <a href="/docs/manual/skills">How skills work</a>
        </>
      }
    >
      <Skills whose={OWN} may />
    </SettingsPage>
  )
}
