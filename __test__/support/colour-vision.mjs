// @ts-check
/**
 * Distance between two colours as seen with normal vision and with each of three kinds of colour blindness: the
 * simulation of Machado, Oliveira and Fernandes (2009) at full severity, and distances in Oklab.
 */

const VISIONS = [
  [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
];

/**
 * @param {[name: string, colour: string][]} colours as `#rrggbb`
 * @returns {{ distance: number, pair: string[] }} the closest pair in any vision; black and white have distance 1
 */
export function leastDistance(colours) {
  const seen = colours.map(([name, colour]) => ({
    name,
    views: VISIONS.map((vision) => oklab(product(vision, linear(colour)))),
  }));
  let least = { distance: Number.POSITIVE_INFINITY, pair: /** @type {string[]} */ ([]) };
  seen.forEach((one, place) => {
    for (const other of seen.slice(0, place)) {
      const distance = Math.min(
        ...one.views.map((view, at) => Math.hypot(...view.map((part, axis) => part - other.views[at][axis]))),
      );
      if (distance < least.distance) least = { distance, pair: [one.name, other.name] };
    }
  });
  return least;
}

/** @param {string} colour */
function linear(colour) {
  return [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
}

/** @param {number[][]} matrix @param {number[]} vector */
function product(matrix, vector) {
  return matrix.map((row) =>
    Math.min(
      1,
      Math.max(
        0,
        row.reduce((sum, part, at) => sum + part * vector[at], 0),
      ),
    ),
  );
}

/** @param {number[]} rgb linear RGB */
function oklab([red, green, blue]) {
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const medium = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  return [
    0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short,
    1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short,
    0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short,
  ];
}
