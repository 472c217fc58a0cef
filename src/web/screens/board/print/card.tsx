import { type CardProps, Meta } from '../card/card.tsx'

type Props = Pick<CardProps, 'card' | 'actors' | 'labels' | 'done'>

/** Prints names, because avatars show them only on hover. */
function Names({ card, actors }: Pick<Props, 'card' | 'actors'>) {
  const names = (card.assignees ?? []).flatMap((key) => actors.get(key) ?? [])
  if (!names.length) return null
  return <p className="printed-names">{names.map((actor) => actor.name).join(', ')}</p>
}

export const PrintedCard = ({ card, actors, labels, done }: Props) => (
  <article className={done ? 'printed-card done' : 'printed-card'}>
    <p className="key">{card.ticket_number}</p>
    <h3 dir="auto">{card.title}</h3>
    <Meta card={card} labels={labels} />
    <Names {...{ card, actors }} />
  </article>
)

export const PrintedLine = ({ card, actors, labels, done }: Props) => (
  <article className={done ? 'printed-line done' : 'printed-line'}>
    <span className="key">{card.ticket_number}</span>
    <h3 dir="auto">{card.title}</h3>
    <Meta card={card} labels={labels} />
    <Names {...{ card, actors }} />
  </article>
)
