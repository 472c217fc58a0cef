import type { Vocabulary } from './vocabulary.ts'

const re = String.raw

export const german: Vocabulary = {
  lead: 'am|bis(?: zum)?|zum|ab|für',
  days: [
    ['übermorgen', 'in 2 days'],
    ['heute', 'today'],
    [re`(?<!guten\s)morgen`, 'tomorrow'],
    ['(?:nächste|kommende) woche', 'next week'],
    ['nächsten monat', 'next month'],
    ['nächstes jahr', 'next year'],
    ['nächstes wochenende', 'next weekend'],
    ['(?:dieses )?wochenende', 'this weekend'],
  ],
  weekdays: 'montag dienstag mittwoch donnerstag freitag (?:samstag|sonnabend) sonntag'.split(' '),
  next: { before: 'nächste[nrm]?' },
  months: [
    ...['januar', 'februar', 'märz', 'april', 'mai', 'juni', 'juli', 'august'],
    ...['september', 'oktober', 'november', 'dezember'],
  ],
  date: re`(?<d>\d{1,2})\.\s*$M(?:\s+(?<y>\d{4}))?`,
  within: 'in',
  units: [
    ['tag(?:en?)?', 'days'],
    ['wochen?', 'weeks'],
    ['monat(?:en?)?', 'months'],
    ['jahr(?:en?)?', 'years'],
    ['stunden?', 'hours'],
    ['minuten?', 'minutes'],
  ],
  time: re`(?:um\s+(?<h>\d{1,2})(?:[:.](?<m>\d{2}))?(?:\s*uhr)?|(?<h2>\d{1,2})(?:[:.](?<m2>\d{2}))?\s*uhr(?:\s+(?<m3>\d{2}))?)`,
  parts: [
    ['früh|vormittag|vormittags', 'morning'],
    ['mittag|mittags', 'noon'],
    ['nachmittag|nachmittags', 'afternoon'],
    ['abend|abends', 'evening'],
  ],
  repeats: [
    ['täglich|jeden tag', 'every day'],
    ['werktags|jeden werktag', 'every weekday'],
    ['wöchentlich|jede woche', 'every week'],
    ['monatlich|jeden monat', 'every month'],
    ['jährlich|jedes jahr', 'every year'],
  ],
  every: re`jede[nrs]?|alle`,
}
