/**
 * The stem of a Russian word, by the algorithm of Snowball. Words are folded before, so й and ё are
 * и and е here. Other languages in Cyrillic letters share many of the endings.
 */
export function russianStem(word: string): string {
  const start = /^[^аеиоуыэюя]*[аеиоуыэюя]/.exec(word)?.[0] ?? word
  const rest = withoutEnding(word.slice(start.length))
    .replace(/и$/, '')
    .replace(/(?<=[аеиоуыэюя][^аеиоуыэюя]+)ость?$/, '')
    .replace(/еише?$/, '')
    .replace(/нн$|ь$/, (ending) => (ending === 'ь' ? '' : 'н'))
  return start + rest
}

const GERUND = /(?:(?<=[ая])в|[иы]в)(?:ши(?:сь)?)?$/
const REFLEXIVE = /с[яь]$/
const ADJECTIVE = /(?:[еиыо]е|[иы]ми|[еиыо]и|[еиыо]м|[ео]го|[ео]му|[иы]х|[ую]ю|ая|яя|[ое]ю)$/
const PARTICIPLE = /(?:(?<=[ая])(?:ем|нн|вш|ющ|щ)|[иы]вш|ующ)$/
const VERB =
  /(?:(?<=[ая])(?:ла|на|[еи]те|ли|и|л|ем|н|ло|но|ет|ют|ны|ть|ешь|нно)|[иы]ла|ена|[еу]ите|ите|[иы]ли|[еу]и|[иы]л|[иы]м|ен|[иы]ло|ено|ят|ует|уют|[иы]т|ены|[иы]ть|ишь|ую|ю)$/
const NOUN =
  /(?:а|[ео]в|[иь]е|е|и?ями|ами|и?еи|ои|ии|и|и?ям|и?ем|ам|ом|о|у|ах|и?ях|ы|ь|[иь]?ю|[иь]?я)$/

function withoutEnding(rest: string): string {
  if (GERUND.test(rest)) return rest.replace(GERUND, '')
  const active = rest.replace(REFLEXIVE, '')
  if (ADJECTIVE.test(active)) return active.replace(ADJECTIVE, '').replace(PARTICIPLE, '')
  return active.replace(VERB.test(active) ? VERB : NOUN, '')
}
