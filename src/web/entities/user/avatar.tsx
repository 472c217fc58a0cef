import { t } from '../../messages/t.ts'
import { type Actor, type ActorKey, keyOf } from './actor.ts'
import { pictures, pictureUrl } from './pictures.ts'

/** Dark enough for white letters in both themes. */
const BACKGROUNDS = [
  '#8a4b2f',
  '#3f6b4a',
  '#3d5a93',
  '#7a4378',
  '#9a3b4e',
  '#2f6f77',
  '#6a5d2a',
  '#5a4f9e',
]

const backgroundOf = (key: ActorKey) => {
  let hash = 7
  for (const character of String(key)) hash = (hash * 31 + character.charCodeAt(0)) % 9973
  return BACKGROUNDS[hash % BACKGROUNDS.length]!
}

/** The color of a person or agent, as in the avatar. */
export const actorColor = (actor: Actor) => backgroundOf(keyOf(actor))

const initials = (name: string) =>
  name
    .split(/\s+/)
    .filter(Boolean)
    .slice(0, 2)
    .map(([character]) => character!.toUpperCase())
    .join('')

interface Props {
  actor: Actor
  /** The actor works on the task that the avatar belongs to. */
  busy?: boolean
}

/** The name of an actor, as screen readers announce it. */
export function actorLabel({ actor: { name, kind }, busy }: Props): string {
  const label = kind === 'agent' ? t('user.name_agent', { name }) : name
  return busy ? t('user.name_working', { name: label }) : label
}

/** Round for people, square for agents; without a picture, the initials. */
export function Avatar({ actor, busy }: Props) {
  const isAgent = actor.kind === 'agent'
  const label = actorLabel({ actor, ...(busy && { busy }) })
  const version = pictures.use().get(keyOf(actor))
  return (
    <span
      className={`avatar${isAgent ? ' bot' : ''}${busy ? ' busy' : ''}`}
      style={{ background: actorColor(actor) }}
      role="img"
      data-actor={keyOf(actor)}
      // Not as text, which would be a label that differs from the name of a button around it.
      data-initials={initials(actor.name)}
      aria-label={label}
      title={label}
    >
      {version && (
        <img
          key={version}
          src={pictureUrl(keyOf(actor), version)}
          alt=""
          onError={({ currentTarget }) => currentTarget.remove()}
        />
      )}
    </span>
  )
}
