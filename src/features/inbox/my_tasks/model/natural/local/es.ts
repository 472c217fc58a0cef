import type { Vocabulary } from './vocabulary.ts'

const re = String.raw

export const spanish: Vocabulary = {
  lead: 'el|para(?: el)?|antes del?',
  days: [
    ['pasado mañana', 'in 2 days'],
    ['hoy', 'today'],
    ['mañana', 'tomorrow'],
    ['(?:la )?(?:próxima semana|semana que viene)', 'next week'],
    ['(?:el )?(?:próximo mes|mes que viene)', 'next month'],
    ['(?:el )?(?:próximo año|año que viene)', 'next year'],
    ['este fin de semana', 'this weekend'],
    ['(?:el )?próximo fin de semana', 'next weekend'],
  ],
  weekdays: 'lunes martes miércoles jueves viernes sábados? domingos?'.split(' '),
  next: { before: 'próximo', after: 'que viene' },
  months: [
    ...['enero', 'febrero', 'marzo', 'abril', 'mayo', 'junio', 'julio', 'agosto'],
    ...['septiembre', 'octubre', 'noviembre', 'diciembre'],
  ],
  date: re`(?<d>\d{1,2})\s+de\s+$M(?:\s+del?\s+(?<y>\d{4}))?`,
  within: 'en|dentro de',
  units: [
    ['días?', 'days'],
    ['semanas?', 'weeks'],
    ['mes(?:es)?', 'months'],
    ['años?', 'years'],
    ['horas?', 'hours'],
    ['minutos?', 'minutes'],
  ],
  time: re`a\s+las?\s+(?<h>\d{1,2})(?:[:.](?<m>\d{2}))?(?:\s*h)?`,
  parts: [
    ['por la mañana', 'morning'],
    ['a mediodía', 'noon'],
    ['por la tarde', 'afternoon'],
    ['por la noche', 'evening'],
  ],
  repeats: [
    ['cada día|todos los días|a diario|diariamente', 'every day'],
    ['cada día laborable|entre semana', 'every weekday'],
    ['cada semana|semanalmente', 'every week'],
    ['cada mes|mensualmente', 'every month'],
    ['cada año|anualmente', 'every year'],
  ],
  every: 'cada|todos los',
}
