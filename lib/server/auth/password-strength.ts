import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ZxcvbnFactory } from '@zxcvbn-ts/core'

/*
 * Danish and Swedish words that people make passwords of, the commonest first: greetings, words for a password, places,
 * seasons, months, days, names, animals, colours, food, clubs and the words of an office. No package of the library that
 * judges passwords has these languages.
 */

const danish = `velkommen kodeord adgangskode adgang hemmelig hemmeligt login danmark koebenhavn københavn dansk danske
sommer vinter efterår forår januar februar marts april maj juni juli august september oktober november december mandag
tirsdag onsdag torsdag fredag lørdag søndag skat skatter elsker elskerdig kærlighed jegelskerdig hejsa hejmeddig hejhej
goddag godmorgen farvel familie familien mormor morfar farmor farfar mormor søster bror datter veninde kæreste venner
lykke lykkelig solskin blomst blomster fodbold håndbold brøndby fckøbenhavn midtjylland aarhus århus odense aalborg
ålborg esbjerg randers kolding horsens vejle roskilde herning silkeborg viborg helsingør fredericia sønderborg jylland
sjælland fyn bornholm grønland færøerne amager frederiksberg nørrebro østerbro vesterbro dannebrog kongen dronning
hest heste hund hunde hvalp kat katte killing kanin fugl mus løve tiger elefant bjørn ulv fisk rød grøn blå gul sort hvid
lilla orange lyserød pizza kaffe smørrebrød lakrids chokolade slik jordbær banan æble øl tuborg carlsberg lego legoland
tivoli andersen jensen nielsen hansen pedersen christensen larsen sørensen rasmussen jørgensen petersen madsen
kristensen olsen thomsen christiansen poulsen johansen møller mortensen peter michael jens lars henrik thomas søren jan
christian martin niels anders morten jesper mads rasmus mikkel kasper frederik oliver emil noah william oscar victor
anne mette hanne helle susanne lene marianne inger kirsten maria camilla louise charlotte pernille tina christina
katrine sofie emma freja ida clara laura mathilde julie firma firmaet kontor kontoret faktura fakturaer betaling
betalinger betalingsservice leverandørservice opkrævning kunde kunder konto bank banken penge regnskab bogholderi økonomi
afdeling medarbejder virksomhed forsyning fjernvarme elnet skole skolen arbejde computer internet telefon mobil test
tester prøve ændre ændremig nykode nytkodeord standard midlertidig første bruger brugernavn administrator sikker
sikkerhed mitkodeord minkode sesam lukop fest ferie jul julemand påske nytår fødselsdag lørdagsslik hygge tak tusindtak
selvfølgelig ligemeget fuck lort helvede satan gud jesus himmel engel djævel drage ridder prinsesse stjerne måne sol hav`

const swedish = `välkommen lösenord hemlig hemligt inloggning sverige svensk svenska stockholm göteborg malmö uppsala
västerås örebro linköping helsingborg jönköping norrköping lund umeå gävle borås sommar vinter höst vår januari februari
mars april maj juni juli augusti september oktober november december måndag tisdag onsdag torsdag fredag lördag söndag
älskar älskardig jagälskardig kärlek hejsan hejhej hejpådig godmorgon hejdå familj familjen mormor morfar farmor farfar
syster bror dotter vänner pojkvän flickvän lycka lycklig solsken blomma blommor fotboll ishockey hammarby djurgården aik
ifkgöteborg elfsborg häst hästar hund hundar valp katt katter kattunge kanin fågel lejon elefant björn varg fisk röd grön
blå gul svart vit lila rosa kaffe choklad godis jordgubbe banan äpple köttbullar volvo saab ikea andersson johansson
karlsson nilsson eriksson larsson olsson persson svensson gustafsson pettersson jonsson jansson hansson bengtsson lars
anders mikael johan erik karl peter thomas jan daniel fredrik andreas stefan magnus henrik mattias anna eva maria karin
kristina lena kerstin sara emma elin malin jenny linda johanna sofia ida alice maja företag företaget kontor kontoret
faktura fakturor betalning betalningar autogiro kund kunder konto bank banken pengar ekonomi bokföring avdelning
personal skola skolan arbete dator internet telefon mobil test ändra ändramig nyttlösenord tillfällig första användare
användarnamn administratör säker säkerhet mittlösenord sesam fest semester jul jultomten påsk nyår födelsedag midsommar
fika lagom tack tacksåmycket självklart fan jävla helvete gud himmel ängel drake riddare prinsessa stjärna måne sol hav`

/** How a keyboard without the letter writes it. */
const spellings: readonly [letter: RegExp, others: readonly string[]][] = [
  [/[æä]/gu, ['ae', 'a', 'e']],
  [/[øö]/gu, ['oe', 'o']],
  [/å/gu, ['aa', 'a', 'o']],
]

function listSpellings(word: string): string[] {
  return spellings.reduce<string[]>(
    (words, [letter, others]) => [
      ...words,
      ...others.flatMap((other) => words.map((one) => one.replace(letter, other))),
    ],
    [word],
  )
}

/** Each once, in lower case, also as they are written without æ, ø, å, ä and ö. */
export function listCommonWords(): Record<string, string[]> {
  const list = (text: string) => [...new Set(text.split(/\s+/u).flatMap(listSpellings))]
  return { 'commonWords-da': list(danish), 'commonWords-sv': list(swedish) }
}

/**
 * Guesses as a power of ten: about where zxcvbn's score becomes 3 of 4, and what eight random characters need. What needs
 * fewer is a common word or name, a row of keys, a date, a run or a repetition, or little more than one of them.
 */
const floor = 8
/** The work grows with the square of the length and more, most of all with `4$$1|` and the like for letters. */
const longestPart = 16
/** A mark put in stands in one of few places and is one of few: this much, as a power of ten. */
const perMark = 1
/** A shorter name is in too much else. */
const shortestName = 4

let loading: Promise<ZxcvbnFactory> | undefined

/** A megabyte of words, read when the first password is chosen: no start and no page waits for it. */
async function load(): Promise<ZxcvbnFactory> {
  const [core, { adjacencyGraphs, dictionary }, german] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
    import('@zxcvbn-ts/language-de'),
  ])
  const { commonWords, firstnames, lastnames } = german.dictionary
  return new core.ZxcvbnFactory({
    dictionary: {
      ...dictionary,
      'commonWords-de': commonWords,
      'firstnames-de': firstnames,
      'lastnames-de': lastnames,
      ...listCommonWords(),
    },
    graphs: adjacencyGraphs,
    l33tMaxSubstitutions: 10,
  })
}

/** Parts to be judged on their own; of a text that only repeats another one, that one. */
function splitText(text: string): string[] {
  const characters = Array.from(/^(.+?)\1+$/su.exec(text)?.[1] ?? text)
  return Array.from({ length: Math.ceil(characters.length / longestPart) }, (_, index) =>
    characters.slice(index * longestPart, (index + 1) * longestPart).join(''),
  )
}

/** The names in it, whole and word by word, the longest first. */
function listNames(context: readonly string[]): string[] {
  const parts = context.flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)])
  return [...new Set(parts.map((part) => part.toLowerCase()))]
    .filter((part) => part.length >= shortestName)
    .toSorted((one, other) => other.length - one.length)
}

/** What is left of a password without the names that stand in it, and the first of them; null where none does. */
function leaveOutNames(password: string, names: readonly string[]): { rest: string; name: string } | null {
  let rest = password.toLowerCase()
  const found = names.filter((name) => {
    const isThere = rest.includes(name)
    if (isThere) rest = rest.replaceAll(name, '')
    return isThere
  })
  const [name] = found
  return name === undefined ? null : { rest, name }
}

/**
 * Why a password, in NFKC, is too easy to guess for who knows the `context`: the e-mail address, the merchants' names and
 * the service's (NIST SP 800-63B, 5.1.1.2: commonly used, repetitive, sequential, context-specific). A long one is as
 * hard to guess as the hardest of its parts, and a name from the context counts for nothing: `name` is the one on which it
 * is built, null where it is easy by itself. Null for one that is hard enough.
 */
export async function findWeakness(
  password: string,
  context: readonly string[],
): Promise<{ name: string | null } | null> {
  const zxcvbn = await (loading ??= load())
  const names = listNames(context)
  const rate = async (text: string) => {
    // Others are served between two ratings.
    await nextTurn()
    return text === '' ? 0 : zxcvbn.check(text, names).guessesLog10
  }
  const isStrong = async (part: string) => {
    if ((await rate(part)) < floor) return false
    // `admin@123` is `admin123` to a guesser, though not to the library.
    const bare = part.replaceAll(/[^\p{L}\p{M}\p{N}]/gu, '')
    const marks = Array.from(part).length - Array.from(bare).length
    return marks === 0 || (await rate(bare)) + marks * perMark >= floor
  }
  const isWeak = async (text: string) => {
    for (const part of splitText(text)) if (await isStrong(part)) return false
    return true
  }
  const built = leaveOutNames(password, names)
  if (built && (await isWeak(built.rest))) return { name: built.name }
  return (await isWeak(password)) ? { name: null } : null
}
