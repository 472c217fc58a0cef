import type { Vocabulary } from './vocabulary.ts'

const re = String.raw

export const french: Vocabulary = {
  lead: 'le|pour(?: le)?|avant(?: le)?|dès',
  days: [
    ['après-demain', 'in 2 days'],
    ["aujourd['’]hui", 'today'],
    ['demain', 'tomorrow'],
    ['(?:la )?semaine prochaine', 'next week'],
    ['(?:le )?mois prochain', 'next month'],
    ["(?:l['’])?année prochaine", 'next year'],
    ['ce week-end', 'this weekend'],
    ['(?:le )?week-end prochain', 'next weekend'],
  ],
  weekdays: 'lundis? mardis? mercredis? jeudis? vendredis? samedis? dimanches?'.split(' '),
  next: { after: 'prochain' },
  months: [
    ...['janvier', 'février', 'mars', 'avril', 'mai', 'juin', 'juillet', 'août'],
    ...['septembre', 'octobre', 'novembre', 'décembre'],
  ],
  date: re`(?<d>\d{1,2})(?:er)?\s+$M(?:\s+(?<y>\d{4}))?`,
  within: 'dans',
  units: [
    ['jours?', 'days'],
    ['semaines?', 'weeks'],
    ['mois', 'months'],
    ['ans?|années?', 'years'],
    ['heures?', 'hours'],
    ['minutes?', 'minutes'],
  ],
  time: re`(?:à\s+)?(?<h>\d{1,2})\s*(?:h|heures?|:(?=\d))\s*(?<m>\d{2})?`,
  parts: [
    ['matin', 'morning'],
    ['midi', 'noon'],
    ['après-midi', 'afternoon'],
    ['soir', 'evening'],
  ],
  repeats: [
    ['tous les jours|chaque jour', 'every day'],
    ['chaque jour ouvrable|en semaine', 'every weekday'],
    ['toutes les semaines|chaque semaine', 'every week'],
    ['tous les mois|chaque mois', 'every month'],
    ['tous les ans|chaque année', 'every year'],
  ],
  every: 'chaque|tou(?:s|tes) les',
}
