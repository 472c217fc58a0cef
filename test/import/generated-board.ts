import { once } from 'node:events'
import { createWriteStream } from 'node:fs'

interface BoardSize {
  cards: number
  /** Adds checklists, labels, custom fields, links and more comments to the cards. */
  rich?: boolean
}

const LISTS = ['Backlog', 'Next', 'Doing', 'Review', 'Done']
const COLORS = ['green', 'red', 'blue', 'sky', 'lime', 'pink', 'purple', 'orange']
const PEOPLE = 12
const WORDS =
  'harbour rope mooring tide anchor crane cargo pilot berth customs manifest lantern'.split(' ')
const BOARD = idOf('b', 0)
/** Cards that refer to a card further down are this far from it, so in another batch. */
const FAR = 150

/** Writes a board of Trello as its JSON export has it. The same size gives the same file. */
export async function writeTrelloBoard(path: string, size: BoardSize): Promise<void> {
  const out = createWriteStream(path)
  for (const text of boardTexts(size)) if (!out.write(text)) await once(out, 'drain')
  out.end()
  await once(out, 'finish')
}

function* boardTexts({ cards, rich = false }: BoardSize): Generator<string> {
  const count = rich ? (card: number) => 1 + (card % 3) : () => 1
  yield `${JSON.stringify(boardOf(rich)).slice(0, -1)},"cards":[`
  yield* listTexts(cards, (card) => [cardOf(card, cards, rich)])
  yield '],"checklists":['
  if (rich) yield* listTexts(cards, (card) => (card % 4 ? [] : [checklistOf(card)]))
  yield '],"actions":['
  yield* listTexts(cards, (card) =>
    Array.from({ length: count(card) }, (_, at) => commentOf(card, at)),
  )
  yield ']}'
}

function* listTexts(cards: number, items: (card: number) => object[]): Generator<string> {
  let separator = ''
  for (let card = 0; card < cards; card++)
    for (const item of items(card)) {
      yield separator + JSON.stringify(item)
      separator = ','
    }
}

/** An id as Trello has them: the time of creation, the kind and the number. */
function idOf(kind: string, number: number): string {
  const seconds = Date.parse('2026-01-05T08:00:00Z') / 1000 + number
  const parts = [seconds, kind.charCodeAt(0), number].map((part) => part.toString(16))
  return `${parts[0]}${parts[1]}${parts[2]!.padStart(14, '0')}`
}

const timeOf = (number: number) =>
  new Date(Date.parse('2026-02-02T08:00:00Z') + number * 1000).toISOString()
const shortLinkOf = (card: number) => `s${card.toString(36).padStart(7, '0')}`
const addressOf = (card: number) => `https://trello.com/c/${shortLinkOf(card)}`
const textOf = (number: number, words: number) =>
  Array.from({ length: words }, (_, at) => {
    const place = number * 7 + at * 3 + (number >> 3) * at
    return WORDS[place % WORDS.length]
  }).join(' ')

const boardOf = (rich: boolean) => ({
  ...{ id: BOARD, name: 'Generated harbour', desc: '', closed: false, idOrganization: 'harbour' },
  ...{ url: 'https://trello.com/b/Harbour1/generated-harbour', shortLink: 'Harbour1' },
  lists: LISTS.map((name, at) => ({ id: idOf('l', at), name, closed: false, pos: at })),
  members: Array.from({ length: PEOPLE }, (_, at) => ({
    ...{ id: idOf('m', at), fullName: `Person ${at}`, username: `person${at}` },
  })),
  labels: COLORS.map((color, at) => ({ id: idOf('t', at), name: `area ${at}`, color })),
  customFields: rich
    ? [
        { id: idOf('f', 0), name: 'Tonnage', type: 'number', pos: 0 },
        { id: idOf('f', 1), name: 'Berth', type: 'text', pos: 1 },
      ]
    : [],
})

const cardOf = (card: number, cards: number, rich: boolean) => ({
  ...{
    id: idOf('c', card),
    name: `Task ${card} ${textOf(card, 5)}`,
    closed: rich && card % 50 === 1,
  },
  ...{ idList: idOf('l', card % LISTS.length), pos: card, shortLink: shortLinkOf(card) },
  desc: `## Notes\n\n${textOf(card, 30)}\n\n- two **bold**${rich ? linkIn(card, cards) : ''}`,
  idMembers: card % 3 ? [] : [idOf('m', card % PEOPLE), idOf('m', (card + 5) % PEOPLE)],
  idLabels: [
    idOf('t', card % COLORS.length),
    ...(rich ? [idOf('t', (card + 3) % COLORS.length)] : []),
  ],
  ...{ due: card % 5 ? null : '2027-12-01T10:00:00.000Z', dueComplete: false },
  dateLastActivity: timeOf(card),
  attachments: rich && card % 6 === 2 ? [attachedCard(card, (card + FAR) % cards)] : [],
  customFieldItems: rich && card % 2 ? fieldsOf(card) : [],
})

const linkIn = (card: number, cards: number) =>
  card % 5 === 3 ? `\n\nSee ${addressOf((card + FAR) % cards)}` : ''

const attachedCard = (card: number, other: number) => ({
  ...{
    id: idOf('a', card),
    name: addressOf(other),
    url: addressOf(other),
    isUpload: false,
    pos: 1,
  },
})

const fieldsOf = (card: number) => [
  { id: idOf('v', card), idCustomField: idOf('f', 0), value: { number: `${card}` } },
  { id: idOf('w', card), idCustomField: idOf('f', 1), value: { text: `Berth ${card % 9}` } },
]

const checklistOf = (card: number) => ({
  ...{ id: idOf('k', card), idCard: idOf('c', card), name: 'Before departure', pos: 1 },
  checkItems: ['Ropes', 'Lights', 'Papers'].map((name, at) => ({
    ...{ id: idOf('i', card * 3 + at), name, pos: at },
    state: at < card % 4 ? 'complete' : 'incomplete',
  })),
})

function commentOf(card: number, at: number) {
  const number = card * 3 + at
  const author = number % PEOPLE
  return {
    ...{ id: idOf('n', number), type: 'commentCard', date: timeOf(number) },
    idMemberCreator: idOf('m', author),
    data: {
      text: `Comment ${at}: ${textOf(number, 15)}`,
      card: { id: idOf('c', card), shortLink: shortLinkOf(card) },
    },
  }
}
