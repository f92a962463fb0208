type Names = readonly [string, ...string[]]

/** Names and places of a country, plausible enough for a demonstration. */
export type Country = {
  code: string
  first: Names
  last: Names
  streets: Names
  cities: readonly [[string, string], ...[string, string][]]
}

export const denmark: Country = {
  code: 'DK',
  first: [
    'Anne',
    'Søren',
    'Mette',
    'Åse',
    'Lars',
    'Kirsten',
    'Jørgen',
    'Hanne',
    'Bjørn',
    'Ida',
    'Freja',
    'Emil',
    'Asger',
    'Signe',
    'Frederik',
    'Karen Margrethe',
    'Børge',
    'Malthe',
    'Astrid',
    'Jens Ole',
    'Ulla',
    'Zøe',
    'Lærke',
    'Anders',
    'Johanne',
    'Ærø',
  ],
  last: [
    'Nielsen',
    'Jensen',
    'Hansen',
    'Sørensen',
    'Østergaard',
    'Kjær',
    'Møller',
    'Bæk',
    'Lund Ågård',
    'Thygesen',
    'Nørgaard',
    'Holm',
    'Skovgård',
    'Vestergaard',
    'Højlund',
    'Kirkegaard',
    'Rasmussen',
    'Damgård',
    'Bjerregaard',
    'Ravn',
    'Dahl',
    'Krogh',
  ],
  streets: [
    'Vesterbrogade',
    'Østergade',
    'Nørre Allé',
    'Åboulevarden',
    'Kirkevej',
    'Skovvænget',
    'Søndergade',
    'Algade',
  ],
  cities: [
    ['1620', 'København V'],
    ['8000', 'Aarhus C'],
    ['5000', 'Odense C'],
    ['9000', 'Aalborg'],
    ['6700', 'Esbjerg'],
    ['4700', 'Næstved'],
    ['8600', 'Silkeborg'],
    ['3700', 'Rønne'],
  ],
}

export const europe: readonly [Country, ...Country[]] = [
  {
    code: 'DE',
    first: ['Jürgen', 'Käthe', 'Björn', 'Anneliese', 'Günther', 'Lukas', 'Sophie', 'Matthäus', 'Jörg', 'Hannah'],
    last: ['Müller', 'Weiß', 'Schröder', 'Groß', 'Köhler', 'Straub', 'Lüdenscheidt', 'Bauer', 'von der Höhe'],
    streets: ['Hauptstraße', 'Königsallee', 'Gänsemarkt', 'Am Mühlbach'],
    cities: [
      ['20095', 'Hamburg'],
      ['80331', 'München'],
      ['50667', 'Köln'],
      ['24937', 'Flensburg'],
    ],
  },
  {
    code: 'SE',
    first: ['Åsa', 'Göran', 'Märta', 'Örjan', 'Linnéa', 'Erik', 'Ylva', 'Håkan'],
    last: ['Ångström', 'Björklund', 'Öberg', 'Sjöström', 'Lindgren', 'Åkesson', 'Hedlund'],
    streets: ['Drottninggatan', 'Storgatan', 'Östra Hamngatan'],
    cities: [
      ['211 22', 'Malmö'],
      ['111 51', 'Stockholm'],
      ['411 10', 'Göteborg'],
    ],
  },
  {
    code: 'NO',
    first: ['Ingrid', 'Øyvind', 'Håvard', 'Solveig', 'Kåre', 'Tuva', 'Pål'],
    last: ['Bakken', 'Ødegård', 'Solberg', 'Nygård', 'Strøm', 'Haugen'],
    streets: ['Karl Johans gate', 'Strandgaten', 'Kongens gate'],
    cities: [
      ['0154', 'Oslo'],
      ['5003', 'Bergen'],
      ['7010', 'Trondheim'],
    ],
  },
  {
    code: 'FR',
    first: ['Éloïse', 'François', 'Hélène', 'Benoît', 'Agnès', 'Loïc'],
    last: ["D'Aubigné", 'Lefèvre', 'Garçon', 'Béranger', 'Œuvrard'],
    streets: ['rue de la République', 'avenue Jean Jaurès'],
    cities: [
      ['75011', 'Paris'],
      ['69002', 'Lyon'],
      ['67000', 'Strasbourg'],
    ],
  },
  {
    code: 'PL',
    first: ['Łukasz', 'Małgorzata', 'Stanisław', 'Zofia', 'Paweł'],
    last: ['Wójcik', 'Kowalczyk', 'Żuławski', 'Dąbrowska', 'Śliwiński'],
    streets: ['ul. Długa', 'al. Jerozolimskie'],
    cities: [
      ['00-950', 'Warszawa'],
      ['31-042', 'Kraków'],
      ['80-831', 'Gdańsk'],
    ],
  },
  {
    code: 'ES',
    first: ['Íñigo', 'María José', 'Begoña', 'Andrés'],
    last: ['Núñez', 'García Peñalver', 'Ibáñez', 'Muñoz'],
    streets: ['Calle Mayor', 'Paseo de la Castellana'],
    cities: [
      ['28013', 'Madrid'],
      ['46002', 'València'],
    ],
  },
]

/** Names that any list must bear: other scripts and directions, emoji, quotes, length. Used first, so that every seed has them. */
export const remarkable: Names = [
  'Café Hygge ☕️ ApS',
  'יעל כהן',
  'محمد الأحمد',
  'Ångström & Sønner I/S',
  "O'Neill-Bjørnsson, Siobhán",
  '山田 太郎',
  'Familien 👨‍👩‍👧‍👦 Holm',
  'Ægir Þórðarson',
  'Nguyễn Thị Hồng',
  'Grundejerforeningen Mellem Søerne, Skovene og Strandengene ved Nordre Kystvej samt Omegn',
]

export const trades: Names = [
  'Tømrer',
  'Café',
  'VVS',
  'Bageri',
  'Autoværksted',
  'Revision',
  'Ejendomme',
  'Blomster',
  'Cykler',
  'Fysioterapi',
  'Tandlæge',
  'Maler',
  'El-service',
  'Boghandel',
]
export const forms: Names = ['ApS', 'A/S', 'I/S', 'IVS', 'GmbH', 'AB']
export const products: Names = [
  'Subscription',
  'Membership',
  'Rent',
  'Electricity',
  'Insurance premium',
  'Fibre broadband',
  'Nursery fee',
  'Heating',
  'Newspaper',
  'Water',
  'Charity gift',
  'Gym',
]
