// Names and sectors: datasets/s-and-p-500-companies (public domain, ODC-PDDL), members of August 2026, and four ETFs.
// FIGI is an open standard (OMG); a blank one is not known. All are quoted in USD.

/** symbol|name|sector|exchange|composite FIGI */
export const STOCK_ROWS = `
MMM|3M|Industrials|NYSE|BBG000BP52R2
AOS|A. O. Smith|Industrials|NYSE|BBG000BC1L02
ABT|Abbott Laboratories|Health Care|NYSE|BBG000B9ZXB4
ABBV|AbbVie|Health Care|NYSE|BBG0025Y4RY4
ACN|Accenture|Information Technology|NYSE|
ADBE|Adobe Inc.|Information Technology|NASDAQ|BBG000BB5006
AMD|Advanced Micro Devices|Information Technology|NASDAQ|BBG000BBQCY0
AES|AES Corporation|Utilities|NYSE|BBG000C23KJ3
AFL|Aflac|Financials|NYSE|BBG000BBBNC6
A|Agilent Technologies|Health Care|NYSE|BBG000C2V3D6
APD|Air Products|Materials|NYSE|BBG000BC4JJ4
ABNB|Airbnb|Consumer Discretionary|NASDAQ|BBG001Y2XS07
AKAM|Akamai Technologies|Information Technology|NASDAQ|BBG000BJQWD2
ALB|Albemarle Corporation|Materials|NYSE|BBG000BJ26K7
ARE|Alexandria Real Estate Equities|Real Estate|NYSE|BBG000BC33T9
ALGN|Align Technology|Health Care|NASDAQ|BBG000BRNLL2
ALLE|Allegion|Industrials|NYSE|
LNT|Alliant Energy|Utilities|NASDAQ|BBG000DW4Q75
ALL|Allstate|Financials|NYSE|BBG000BVMGF2
GOOGL|Alphabet Inc. (Class A)|Communication Services|NASDAQ|BBG009S39JX6
GOOG|Alphabet Inc. (Class C)|Communication Services|NASDAQ|BBG009S3NB30
MO|Altria|Consumer Staples|NYSE|BBG000BP6LJ8
AMZN|Amazon|Consumer Discretionary|NASDAQ|BBG000BVPV84
AMCR|Amcor|Materials|NYSE|
AEE|Ameren|Utilities|NYSE|BBG000B9X8C0
AEP|American Electric Power|Utilities|NASDAQ|BBG000BB9KF2
AXP|American Express|Financials|NYSE|BBG000BCQZS4
AIG|American International Group|Financials|NYSE|BBG000BBDZG3
AMT|American Tower|Real Estate|NYSE|BBG000B9XYV2
AWK|American Water Works|Utilities|NYSE|BBG000TRJ294
AMP|Ameriprise Financial|Financials|NYSE|BBG000G3QLY3
AME|Ametek|Industrials|NYSE|BBG000B9XG87
AMGN|Amgen|Health Care|NASDAQ|BBG000BBS2Y0
APH|Amphenol|Information Technology|NYSE|BBG000B9YJ35
ADI|Analog Devices|Information Technology|NASDAQ|BBG000BB6G37
AON|Aon plc|Financials|NYSE|
APA|APA Corporation|Energy|NASDAQ|BBG00YTS96G2
APO|Apollo Global Management|Financials|NYSE|BBG00ZNLTFK3
AAPL|Apple Inc.|Information Technology|NASDAQ|BBG000B9XRY4
AMAT|Applied Materials|Information Technology|NASDAQ|BBG000BBPFB9
APP|AppLovin|Communication Services|NASDAQ|BBG006HFPX77
APTV|Aptiv|Consumer Discretionary|NYSE|
ACGL|Arch Capital Group|Financials|NASDAQ|
ADM|Archer Daniels Midland|Consumer Staples|NYSE|BBG000BB6WG8
ARES|Ares Management|Financials|NYSE|BBG0068KVV91
ANET|Arista Networks|Information Technology|NYSE|BBG000N2HDY5
AJG|Arthur J. Gallagher & Co.|Financials|NYSE|BBG000BBHXQ3
AIZ|Assurant|Financials|NYSE|BBG000BZX1N5
T|AT&T|Communication Services|NYSE|BBG000BSJK37
ATO|Atmos Energy|Utilities|NYSE|BBG000BRNGM2
ADSK|Autodesk|Information Technology|NASDAQ|BBG000BM7HL0
ADP|Automatic Data Processing|Industrials|NASDAQ|BBG000JG0547
AZO|AutoZone|Consumer Discretionary|NYSE|BBG000C7LMS8
AVB|AvalonBay Communities|Real Estate|NYSE|BBG000BLPBL5
AVY|Avery Dennison|Materials|NYSE|BBG000BCQ4P6
AXON|Axon Enterprise|Industrials|NASDAQ|BBG000BHJWG1
BKR|Baker Hughes|Energy|NASDAQ|BBG00GBVBK51
BALL|Ball Corporation|Materials|NYSE|BBG000BDDNH5
BAC|Bank of America|Financials|NYSE|BBG000BCTLF6
BAX|Baxter International|Health Care|NYSE|BBG000BCVJ77
BDX|Becton Dickinson|Health Care|NYSE|BBG000BCZYD3
BRK.B|Berkshire Hathaway|Financials|NYSE|BBG000DWG505
BBY|Best Buy|Consumer Discretionary|NYSE|BBG000BCWCG1
TECH|Bio-Techne|Health Care|NASDAQ|BBG000C15114
BIIB|Biogen|Health Care|NASDAQ|BBG000C17X76
BLK|BlackRock|Financials|NYSE|BBG01PSW2WN4
BX|Blackstone Inc.|Financials|NYSE|BBG000BH0106
XYZ|Block, Inc.|Financials|NYSE|BBG0018SLC07
BA|Boeing|Industrials|NYSE|BBG000BCSST7
BKNG|Booking Holdings|Consumer Discretionary|NASDAQ|BBG000BLBVN4
BSX|Boston Scientific|Health Care|NYSE|BBG000C0LW92
BMY|Bristol Myers Squibb|Health Care|NYSE|BBG000DQLV23
AVGO|Broadcom|Information Technology|NASDAQ|BBG00KHY5S69
BR|Broadridge Financial Solutions|Industrials|NYSE|BBG000PPFKQ7
BRO|Brown & Brown|Financials|NYSE|BBG000BWSGF4
BF.B|Brown–Forman|Consumer Staples|NYSE|BBG000BD2NY8
BLDR|Builders FirstSource|Industrials|NYSE|BBG000BKD3K9
BG|Bunge Global|Consumer Staples|NYSE|
BXP|BXP, Inc.|Real Estate|NYSE|BBG000BS5CM9
CHRW|C.H. Robinson|Industrials|NASDAQ|BBG000BTCH57
CDNS|Cadence Design Systems|Information Technology|NASDAQ|BBG000C13CD9
CPT|Camden Property Trust|Real Estate|NYSE|BBG000BB0V03
COF|Capital One|Financials|NYSE|BBG000BGKTF9
CAH|Cardinal Health|Health Care|NYSE|BBG000D898T9
CCL|Carnival Corporation|Consumer Discretionary|NYSE|BBG000BF6LY3
CARR|Carrier Global|Industrials|NYSE|BBG00RP5HYS8
CVNA|Carvana|Consumer Discretionary|NYSE|BBG00GCTWDJ3
CASY|Casey's|Consumer Staples|NASDAQ|BBG000BF0672
CAT|Caterpillar Inc.|Industrials|NYSE|BBG000BF0K17
CBOE|Cboe Global Markets|Financials|CBOE|BBG000QH56C1
CBRE|CBRE Group|Real Estate|NYSE|BBG000C04224
CDW|CDW Corporation|Information Technology|NASDAQ|BBG001P63B80
COR|Cencora|Health Care|NYSE|BBG000MDCQC2
CNC|Centene Corporation|Health Care|NYSE|BBG000BDXCJ5
CNP|CenterPoint Energy|Utilities|NYSE|BBG000FDBX90
CF|CF Industries|Materials|NYSE|BBG000BWJFZ4
CRL|Charles River Laboratories|Health Care|NYSE|BBG000BG5BL8
SCHW|Charles Schwab Corporation|Financials|NYSE|BBG000BSLZY7
CHTR|Charter Communications|Communication Services|NASDAQ|BBG000VPGNR2
CVX|Chevron Corporation|Energy|NYSE|BBG000K4ND22
CMG|Chipotle Mexican Grill|Consumer Discretionary|NYSE|BBG000QX74T1
CB|Chubb Limited|Financials|NYSE|
CHD|Church & Dwight|Consumer Staples|NYSE|BBG000BFJT36
CIEN|Ciena|Information Technology|NYSE|BBG000BP1152
CI|Cigna|Health Care|NYSE|BBG00KXRCDP0
CINF|Cincinnati Financial|Financials|NASDAQ|BBG000BFPK65
CTAS|Cintas|Industrials|NASDAQ|BBG000H3YXF8
CSCO|Cisco|Information Technology|NASDAQ|BBG000C3J3C9
C|Citigroup|Financials|NYSE|BBG000FY4S11
CFG|Citizens Financial Group|Financials|NYSE|BBG006Q0HY77
CLX|Clorox|Consumer Staples|NYSE|BBG000BFS7D3
CME|CME Group|Financials|NASDAQ|BBG000BHLYP4
CMS|CMS Energy|Utilities|NYSE|BBG000BFVXX0
KO|Coca-Cola Company (The)|Consumer Staples|NYSE|BBG000BMX289
CTSH|Cognizant|Information Technology|NASDAQ|BBG000BBDV81
COHR|Coherent Corp.|Information Technology|NYSE|BBG000BLW102
COIN|Coinbase|Financials|NASDAQ|BBG00ZGF7771
CL|Colgate-Palmolive|Consumer Staples|NYSE|BBG000BFQYY3
CMCSA|Comcast|Communication Services|NASDAQ|BBG000BFT2L4
FIX|Comfort Systems USA|Industrials|NYSE|BBG000BWN2Y9
COP|ConocoPhillips|Energy|NYSE|BBG000BQQH30
ED|Consolidated Edison|Utilities|NYSE|BBG000BHLYS1
STZ|Constellation Brands|Consumer Staples|NYSE|BBG000J1QLT0
CEG|Constellation Energy|Utilities|NASDAQ|BBG014KFRNP7
COO|Cooper Companies (The)|Health Care|NASDAQ|BBG000BG3445
CPRT|Copart|Industrials|NASDAQ|BBG000BM9RH1
GLW|Corning Inc.|Information Technology|NYSE|BBG000BKFZM4
CPAY|Corpay|Financials|NYSE|BBG000GPXKX9
CTVA|Corteva|Materials|NYSE|BBG00BN969C1
CSGP|CoStar Group|Real Estate|NASDAQ|BBG000D7JKW9
COST|Costco|Consumer Staples|NASDAQ|BBG000F6H8W8
CRH|CRH plc|Materials|NYSE|
CRWD|CrowdStrike|Information Technology|NASDAQ|BBG00BLYKS03
CCI|Crown Castle|Real Estate|NYSE|BBG000FV1Z23
CSX|CSX Corporation|Industrials|NASDAQ|BBG000BGJRC8
CMI|Cummins|Industrials|NYSE|BBG000BGPTV6
CVS|CVS Health|Health Care|NYSE|BBG000BGRY34
DHR|Danaher Corporation|Health Care|NYSE|BBG000BH3JF8
DRI|Darden Restaurants|Consumer Discretionary|NYSE|BBG000BBNYF6
DDOG|Datadog|Information Technology|NASDAQ|BBG003NJHZT9
DVA|DaVita|Health Care|NYSE|BBG000MQ1SN9
DECK|Deckers Brands|Consumer Discretionary|NYSE|BBG000BKXYX5
DE|Deere & Company|Industrials|NYSE|BBG000BH1NH9
DELL|Dell Technologies|Information Technology|NYSE|BBG00DW3SZS1
DAL|Delta Air Lines|Industrials|NYSE|BBG000R7Z112
DVN|Devon Energy|Energy|NYSE|BBG000BBVJZ8
DXCM|Dexcom|Health Care|NASDAQ|BBG000QTF8K1
FANG|Diamondback Energy|Energy|NASDAQ|BBG002PHSYX9
DLR|Digital Realty|Real Estate|NYSE|BBG000Q5ZRM7
DG|Dollar General|Consumer Staples|NYSE|BBG000NV1KK7
DLTR|Dollar Tree|Consumer Staples|NASDAQ|BBG000BSC0K9
D|Dominion Energy|Utilities|NYSE|BBG000BGVW60
DPZ|Domino's|Consumer Discretionary|NASDAQ|BBG000P458P3
DASH|DoorDash|Consumer Discretionary|NASDAQ|BBG005D7QCJ3
DOV|Dover Corporation|Industrials|NYSE|BBG000BHB3M6
DOW|Dow Inc.|Materials|NYSE|BBG00BN96922
DHI|D. R. Horton|Consumer Discretionary|NYSE|BBG000DQTXY6
DTE|DTE Energy|Utilities|NYSE|BBG000BB29X4
DUK|Duke Energy|Utilities|NYSE|BBG000BHGDH5
DD|DuPont|Industrials|NYSE|BBG00BN961G4
ETN|Eaton Corporation|Industrials|NYSE|
EBAY|eBay Inc.|Consumer Discretionary|NASDAQ|BBG000C43RR5
ECL|Ecolab|Materials|NYSE|BBG000BHKYH4
EIX|Edison International|Utilities|NYSE|BBG000D7RKJ5
EW|Edwards Lifesciences|Health Care|NYSE|BBG000BRXP69
ELV|Elevance Health|Health Care|NYSE|BBG000BCG930
EME|Emcor|Industrials|NYSE|BBG000BBRPL4
EMR|Emerson Electric|Industrials|NYSE|BBG000BHX7N2
ETR|Entergy|Utilities|NYSE|BBG000C1FQS9
EOG|EOG Resources|Energy|NYSE|BBG000BZ9223
EQT|EQT Corporation|Energy|NYSE|BBG000BHZ5J9
EFX|Equifax|Industrials|NYSE|BBG000BHPL78
EQIX|Equinix|Real Estate|NASDAQ|BBG000MBDGM6
EQR|Equity Residential|Real Estate|NYSE|BBG000BG8M31
ERIE|Erie Indemnity|Financials|NASDAQ|BBG000BBTJZ1
ESS|Essex Property Trust|Real Estate|NYSE|BBG000CGJMB9
EL|Estée Lauder Companies (The)|Consumer Staples|NYSE|BBG000FKJRC5
EG|Everest Group|Financials|NYSE|
EVRG|Evergy|Utilities|NASDAQ|BBG00H433CR2
ES|Eversource Energy|Utilities|NYSE|BBG000BQ87N0
EXC|Exelon|Utilities|NASDAQ|BBG000J6XT05
EXE|Expand Energy|Energy|NASDAQ|BBG00Z6DX554
EXPE|Expedia Group|Consumer Discretionary|NASDAQ|BBG000QY3XZ2
EXPD|Expeditors International|Industrials|NYSE|BBG000BJ5GK2
EXR|Extra Space Storage|Real Estate|NYSE|BBG000PV27K3
FFIV|F5, Inc.|Information Technology|NASDAQ|BBG000CXYSZ6
FDS|FactSet|Financials|NYSE|BBG000BDJL83
FICO|Fair Isaac|Information Technology|NYSE|BBG000DW76Y6
FAST|Fastenal|Industrials|NASDAQ|BBG000BJ8YN7
FRT|Federal Realty Investment Trust|Real Estate|NYSE|BBG000BJVN28
FDX|FedEx|Industrials|NYSE|BBG000BJF1Z8
FERG|Ferguson Enterprises|Industrials|NYSE|BBG01NMRD768
FIS|Fidelity National Information Services|Financials|NYSE|BBG000BK2F42
FITB|Fifth Third Bancorp|Financials|NASDAQ|BBG000BJL3N0
FSLR|First Solar|Information Technology|NASDAQ|BBG000BFL116
FE|FirstEnergy|Utilities|NYSE|BBG000BB6M98
FISV|Fiserv|Financials|NASDAQ|BBG000BJKPG0
FLEX|Flex Ltd.|Information Technology|NASDAQ|
F|Ford Motor Company|Consumer Discretionary|NYSE|BBG000BQPC32
FTNT|Fortinet|Information Technology|NASDAQ|BBG000BCMBG4
FTV|Fortive|Industrials|NYSE|BBG00BLVZ228
FOXA|Fox Corporation (Class A)|Communication Services|NASDAQ|BBG00JHNJW99
FOX|Fox Corporation (Class B)|Communication Services|NASDAQ|BBG00JHNKJY8
BEN|Franklin Resources|Financials|NYSE|BBG000BD0TF8
FCX|Freeport-McMoRan|Materials|NYSE|BBG000BJDB15
GRMN|Garmin|Consumer Discretionary|NYSE|
IT|Gartner|Information Technology|NYSE|BBG000BB65D0
GE|GE Aerospace|Industrials|NYSE|BBG000BK6MB5
GEHC|GE HealthCare|Health Care|NASDAQ|BBG01BFR8YV1
GEV|GE Vernova|Industrials|NYSE|BBG013G17W31
GEN|Gen Digital|Information Technology|NASDAQ|BBG000BH2JM1
GNRC|Generac|Industrials|NYSE|BBG000PQ4W72
GD|General Dynamics|Industrials|NYSE|BBG000BK67C7
GIS|General Mills|Consumer Staples|NYSE|BBG000BKCFC2
GM|General Motors|Consumer Discretionary|NYSE|BBG000NDYB67
GPC|Genuine Parts Company|Consumer Discretionary|NYSE|BBG000BKL348
GILD|Gilead Sciences|Health Care|NASDAQ|BBG000CKGBP2
GPN|Global Payments|Financials|NYSE|BBG000CX0P89
GL|Globe Life|Financials|NYSE|BBG000BVD6X4
GDDY|GoDaddy|Information Technology|NYSE|BBG006MDLY05
GS|Goldman Sachs|Financials|NYSE|BBG000C6CFJ5
HAL|Halliburton|Energy|NYSE|BBG000BKTFN2
HIG|Hartford (The)|Financials|NYSE|BBG000G0Z878
HAS|Hasbro|Consumer Discretionary|NASDAQ|BBG000BKVJK4
HCA|HCA Healthcare|Health Care|NYSE|BBG000QW7VC1
DOC|Healthpeak Properties|Real Estate|NYSE|BBG000BKYDP9
HSIC|Henry Schein|Health Care|NASDAQ|BBG000BNMMJ3
HSY|Hershey Company (The)|Consumer Staples|NYSE|BBG000BLHRS2
HPE|Hewlett Packard Enterprise|Information Technology|NYSE|BBG0078W3NQ3
HLT|Hilton Worldwide|Consumer Discretionary|NYSE|BBG0058KMH30
HD|Home Depot (The)|Consumer Discretionary|NYSE|BBG000BKZB36
HON|Honeywell Technologies|Industrials|NASDAQ|BBG000H556T9
HRL|Hormel Foods|Consumer Staples|NYSE|BBG000BLF8D2
HST|Host Hotels & Resorts|Real Estate|NASDAQ|BBG000BL8804
HWM|Howmet Aerospace|Industrials|NYSE|BBG00DYNJGH9
HPQ|HP Inc.|Information Technology|NYSE|BBG000KHWT55
HUBB|Hubbell Incorporated|Industrials|NYSE|BBG000BLK267
HUM|Humana|Health Care|NYSE|BBG000BLKK03
HBAN|Huntington Bancshares|Financials|NASDAQ|BBG000BKWSR6
HII|Huntington Ingalls Industries|Industrials|NYSE|BBG001KJ2HM9
IBM|IBM|Information Technology|NYSE|BBG000BLNNH6
IEX|IDEX Corporation|Industrials|NYSE|BBG000C1HN22
IDXX|Idexx Laboratories|Health Care|NASDAQ|BBG000BLRT07
ITW|Illinois Tool Works|Industrials|NYSE|BBG000BMBL90
INCY|Incyte|Health Care|NASDAQ|BBG000BNPSQ9
IR|Ingersoll Rand|Industrials|NYSE|BBG002R1CW27
PODD|Insulet Corporation|Health Care|NASDAQ|BBG000R7XX87
INTC|Intel|Information Technology|NASDAQ|BBG000C0G1D1
IBKR|Interactive Brokers|Financials|NASDAQ|BBG000LV0836
ICE|Intercontinental Exchange|Financials|NYSE|BBG000C1FB75
IFF|International Flavors & Fragrances|Materials|NYSE|BBG000BLSL58
IP|International Paper|Materials|NYSE|BBG000BM5SR2
INTU|Intuit|Information Technology|NASDAQ|BBG000BH5DV1
ISRG|Intuitive Surgical|Health Care|NASDAQ|BBG000BJPDZ1
IVZ|Invesco|Financials|NYSE|
INVH|Invitation Homes|Real Estate|NYSE|BBG00FQH6BS9
IQV|IQVIA|Health Care|NYSE|BBG00333FYS2
IRM|Iron Mountain|Real Estate|NYSE|BBG000KCZPC3
JBHT|J.B. Hunt|Industrials|NASDAQ|BBG000BMDBZ1
JBL|Jabil|Information Technology|NYSE|BBG000BJNGN9
JKHY|Jack Henry & Associates|Financials|NASDAQ|BBG000BMH2Q7
J|Jacobs Solutions|Industrials|NYSE|BBG019C1BQR4
JNJ|Johnson & Johnson|Health Care|NYSE|BBG000BMHYD1
JCI|Johnson Controls|Industrials|NYSE|
JPM|JPMorgan Chase|Financials|NYSE|BBG000DMBXR2
KVUE|Kenvue|Consumer Staples|NYSE|BBG01C79X561
KDP|Keurig Dr Pepper|Consumer Staples|NASDAQ|BBG000TJM7F0
KEY|KeyCorp|Financials|NYSE|BBG000BMQPL1
KEYS|Keysight Technologies|Information Technology|NYSE|BBG0059FN811
KMB|Kimberly-Clark|Consumer Staples|NASDAQ|BBG000BMW2Z0
KIM|Kimco Realty|Real Estate|NYSE|BBG000CN3S73
KMI|Kinder Morgan|Energy|NYSE|BBG0019JZ882
KKR|KKR & Co.|Financials|NYSE|BBG000BCQ6J8
KLAC|KLA Corporation|Information Technology|NASDAQ|BBG000BMTFR4
KHC|Kraft Heinz|Consumer Staples|NASDAQ|BBG005CPNTQ2
KR|Kroger|Consumer Staples|NYSE|BBG000BMY992
LHX|L3Harris|Industrials|NYSE|BBG000BLGFJ9
LH|Labcorp|Health Care|NYSE|BBG01MMT6PL7
LRCX|Lam Research|Information Technology|NASDAQ|BBG000BNFLM9
LVS|Las Vegas Sands|Consumer Discretionary|NYSE|BBG000JWD753
LDOS|Leidos|Industrials|NYSE|BBG000C23PB0
LEN|Lennar|Consumer Discretionary|NYSE|BBG000BN5HF7
LII|Lennox International|Industrials|NYSE|BBG000BB5B84
LLY|Lilly (Eli)|Health Care|NYSE|BBG000BNBDC2
LIN|Linde plc|Materials|NASDAQ|
LYV|Live Nation Entertainment|Communication Services|NYSE|BBG000FQ7YR4
LMT|Lockheed Martin|Industrials|NYSE|BBG000C1BW00
L|Loews Corporation|Financials|NYSE|BBG000C45984
LOW|Lowe's|Consumer Discretionary|NYSE|BBG000BNDN65
LULU|Lululemon Athletica|Consumer Discretionary|NASDAQ|BBG000R8ZVD1
LITE|Lumentum|Information Technology|NASDAQ|BBG0073F9RT7
LYB|LyondellBasell|Materials|NYSE|
MTB|M&T Bank|Financials|NYSE|BBG000D9KWL9
MPC|Marathon Petroleum|Energy|NYSE|BBG001DCCGR8
MAR|Marriott International|Consumer Discretionary|NASDAQ|BBG000BGD7W6
MLM|Martin Marietta Materials|Materials|NYSE|BBG000BGYMH7
MRVL|Marvell Technology|Information Technology|NASDAQ|BBG00ZXBJ153
MAS|Masco|Industrials|NYSE|BBG000BNNKG9
MA|Mastercard|Financials|NYSE|BBG000F1ZSQ2
MKC|McCormick & Company|Consumer Staples|NYSE|BBG000G6Y5W4
MCD|McDonald's|Consumer Discretionary|NYSE|BBG000BNSZP1
MCK|McKesson Corporation|Health Care|NYSE|BBG000DYGNW7
MDT|Medtronic|Health Care|NYSE|
MRK|Merck & Co.|Health Care|NYSE|BBG000BPD168
META|Meta Platforms|Communication Services|NASDAQ|BBG000MM2P62
MET|MetLife|Financials|NYSE|BBG000BB6KF5
MTD|Mettler Toledo|Health Care|NYSE|BBG000BZCKH3
MGM|MGM Resorts|Consumer Discretionary|NYSE|BBG000C2BXK4
MCHP|Microchip Technology|Information Technology|NASDAQ|BBG000BHCP19
MU|Micron Technology|Information Technology|NASDAQ|BBG000C5Z1S3
MSFT|Microsoft|Information Technology|NASDAQ|BBG000BPH459
MAA|Mid-America Apartment Communities|Real Estate|NYSE|BBG000BLMY92
MRNA|Moderna|Health Care|NASDAQ|BBG003PHHZT1
TAP|Molson Coors Beverage Company|Consumer Staples|NYSE|BBG000BS7KS3
MDLZ|Mondelez International|Consumer Staples|NASDAQ|BBG000D4LWF6
MPWR|Monolithic Power Systems|Information Technology|NASDAQ|BBG000C30L48
MNST|Monster Beverage|Consumer Staples|NASDAQ|BBG008NVB1C0
MCO|Moody's Corporation|Financials|NYSE|BBG000F86GP6
MS|Morgan Stanley|Financials|NYSE|BBG000BLZRJ2
MOS|Mosaic Company (The)|Materials|NYSE|BBG000BFXHL6
MSI|Motorola Solutions|Information Technology|NYSE|BBG000BP8Z50
MSCI|MSCI Inc.|Financials|NYSE|BBG000RTDY25
NDAQ|Nasdaq, Inc.|Financials|NASDAQ|BBG000F5VVB6
NTAP|NetApp|Information Technology|NASDAQ|BBG000FP1N32
NFLX|Netflix|Communication Services|NASDAQ|BBG000CL9VN6
NEM|Newmont|Materials|NYSE|BBG000BPWXK1
NWSA|News Corp (Class A)|Communication Services|NASDAQ|BBG0035LY913
NWS|News Corp (Class B)|Communication Services|NASDAQ|BBG0035M2ZB7
NEE|NextEra Energy|Utilities|NYSE|BBG000BJSBJ0
NKE|Nike, Inc.|Consumer Discretionary|NYSE|BBG000C5HS04
NI|NiSource|Utilities|NYSE|BBG000BPZBB6
NDSN|Nordson Corporation|Industrials|NASDAQ|BBG000BPWGR1
NSC|Norfolk Southern|Industrials|NYSE|BBG000BQ5DS5
NTRS|Northern Trust|Financials|NASDAQ|BBG000BQ74K1
NOC|Northrop Grumman|Industrials|NYSE|BBG000BQ2C28
NCLH|Norwegian Cruise Line Holdings|Consumer Discretionary|NYSE|
NRG|NRG Energy|Utilities|NYSE|BBG000D8RG11
NUE|Nucor|Materials|NYSE|BBG000BQ8KV2
NVDA|Nvidia|Information Technology|NASDAQ|BBG000BBJQV0
NVR|NVR, Inc.|Consumer Discretionary|NYSE|BBG000BQBYR3
NXPI|NXP Semiconductors|Information Technology|NASDAQ|
ORLY|O’Reilly Automotive|Consumer Discretionary|NASDAQ|BBG000BGYWY6
OXY|Occidental Petroleum|Energy|NYSE|BBG000BQQ2S6
ODFL|Old Dominion|Industrials|NASDAQ|BBG000CHSS88
OMC|Omnicom Group|Communication Services|NYSE|BBG000BS9489
ON|ON Semiconductor|Information Technology|NASDAQ|BBG000DV7MX4
OKE|Oneok|Energy|NYSE|BBG000BQHGR6
ORCL|Oracle Corporation|Information Technology|NYSE|BBG000BQLTW7
OTIS|Otis Worldwide|Industrials|NYSE|BBG00RP60KV0
PCAR|Paccar|Industrials|NASDAQ|BBG000BQVTF5
PKG|Packaging Corporation of America|Materials|NYSE|BBG000BB8SW7
PLTR|Palantir Technologies|Information Technology|NASDAQ|BBG000N7QR55
PANW|Palo Alto Networks|Information Technology|NASDAQ|BBG0014GJCT9
PSKY|Paramount Skydance Corporation|Communication Services|NASDAQ|BBG01VS5NK99
PH|Parker Hannifin|Industrials|NYSE|BBG000BR3KL6
PAYX|Paychex|Industrials|NASDAQ|BBG000BQSQ38
PYPL|PayPal|Financials|NASDAQ|BBG0077VNXV6
PNR|Pentair|Industrials|NYSE|
PEP|PepsiCo|Consumer Staples|NASDAQ|BBG000DH7JK6
PFE|Pfizer|Health Care|NYSE|BBG000BR2B91
PCG|PG&E Corporation|Utilities|NYSE|BBG000BQWPC5
PM|Philip Morris International|Consumer Staples|NYSE|BBG000J2XL74
PSX|Phillips 66|Energy|NYSE|BBG00286S4N9
PNW|Pinnacle West Capital|Utilities|NYSE|BBG000BRDSX5
PNC|PNC Financial Services|Financials|NYSE|BBG000BRD0D8
PPG|PPG Industries|Materials|NYSE|BBG000BRJ809
PPL|PPL Corporation|Utilities|NYSE|BBG000BRJL00
PFG|Principal Financial Group|Financials|NASDAQ|BBG000NSCNT7
PG|Procter & Gamble|Consumer Staples|NYSE|BBG000BR2TH3
PGR|Progressive Corporation|Financials|NYSE|BBG000BR37X2
PLD|Prologis|Real Estate|NYSE|BBG000B9Z0J8
PRU|Prudential Financial|Financials|NYSE|BBG000HCJMF9
PEG|Public Service Enterprise Group|Utilities|NYSE|BBG000BQZMH4
PTC|PTC Inc.|Information Technology|NASDAQ|BBG000C2VBB0
PSA|Public Storage|Real Estate|NYSE|BBG000BPPN67
PHM|PulteGroup|Consumer Discretionary|NYSE|BBG000BR54L0
PWR|Quanta Services|Industrials|NYSE|BBG000BBL8V7
QCOM|Qualcomm|Information Technology|NASDAQ|BBG000CGC1X8
DGX|Quest Diagnostics|Health Care|NYSE|BBG000BN84F3
Q|Qnity Electronics|Information Technology|NYSE|BBG01TRL73S5
RL|Ralph Lauren Corporation|Consumer Discretionary|NYSE|BBG000BS0ZF1
RJF|Raymond James Financial|Financials|NYSE|BBG000BS73J1
RTX|RTX Corporation|Industrials|NYSE|BBG000BW8S60
O|Realty Income|Real Estate|NYSE|BBG000DHPN63
REG|Regency Centers|Real Estate|NASDAQ|BBG000BL46Q4
REGN|Regeneron Pharmaceuticals|Health Care|NASDAQ|BBG000C734W3
RF|Regions Financial Corporation|Financials|NYSE|BBG000Q3JN03
RSG|Republic Services|Industrials|NYSE|BBG000BPXVJ6
RMD|ResMed|Health Care|NYSE|BBG000L4M7F1
RVTY|Revvity|Health Care|NYSE|BBG000FXW512
HOOD|Robinhood Markets|Financials|NASDAQ|BBG008NMBXN8
ROK|Rockwell Automation|Industrials|NYSE|BBG000BBCDZ2
ROL|Rollins, Inc.|Industrials|NYSE|BBG000BSBBP1
ROP|Roper Technologies|Information Technology|NASDAQ|BBG000F1ZSN5
ROST|Ross Stores|Consumer Discretionary|NASDAQ|BBG000BSBZH7
RCL|Royal Caribbean Group|Consumer Discretionary|NYSE|
SPGI|S&P Global|Financials|NYSE|BBG000BP1Q11
CRM|Salesforce|Information Technology|NYSE|BBG000BN2DC2
SNDK|Sandisk|Information Technology|NASDAQ|BBG01R388JG1
SBAC|SBA Communications|Real Estate|NASDAQ|BBG000D2M0Z7
SLB|Schlumberger|Energy|NYSE|BBG000BT41Q8
STX|Seagate Technology|Information Technology|NASDAQ|
SRE|Sempra|Utilities|NYSE|BBG000C2ZCH8
NOW|ServiceNow|Information Technology|NYSE|BBG000M1R011
SHW|Sherwin-Williams|Materials|NYSE|BBG000BSXQV7
SPG|Simon Property Group|Real Estate|NYSE|BBG000BJ2D31
SWKS|Skyworks Solutions|Information Technology|NASDAQ|BBG000KLB4Q1
SJM|J.M. Smucker Company (The)|Consumer Staples|NYSE|BBG000BT1715
SW|Smurfit Westrock|Materials|NYSE|
SNA|Snap-on|Industrials|NYSE|BBG000BT7JW9
SOLV|Solventum|Health Care|NYSE|BBG018YZH6T3
SO|Southern Company|Utilities|NYSE|BBG000BT9DW0
LUV|Southwest Airlines|Industrials|NYSE|BBG000BNJHS8
SWK|Stanley Black & Decker|Industrials|NYSE|BBG000BTQR96
SBUX|Starbucks|Consumer Discretionary|NASDAQ|BBG000CTQBF3
STT|State Street Corporation|Financials|NYSE|BBG000BKFBD7
STLD|Steel Dynamics|Materials|NASDAQ|BBG000HGYNZ9
STE|Steris|Health Care|NYSE|
SYK|Stryker Corporation|Health Care|NYSE|BBG000DN7P92
SMCI|Supermicro|Information Technology|NASDAQ|BBG000MYZDJ3
SYF|Synchrony Financial|Financials|NYSE|BBG00658F3P3
SNPS|Synopsys|Information Technology|NASDAQ|BBG000BSFRF3
SYY|Sysco|Consumer Staples|NYSE|BBG000BTVJ25
TMUS|T-Mobile US|Communication Services|NASDAQ|BBG000NDV1D4
TROW|T. Rowe Price|Financials|NASDAQ|BBG000BVMPN3
TTWO|Take-Two Interactive|Communication Services|NASDAQ|BBG000BS1YV5
TPR|Tapestry, Inc.|Consumer Discretionary|NYSE|BBG000BY29C7
TRGP|Targa Resources|Energy|NYSE|BBG0015XMW40
TGT|Target Corporation|Consumer Staples|NYSE|BBG000H8TVT2
TEL|TE Connectivity|Information Technology|NYSE|
TDY|Teledyne Technologies|Information Technology|NYSE|BBG000BMT9T6
TER|Teradyne|Information Technology|NASDAQ|BBG000BV4DR6
TSLA|Tesla, Inc.|Consumer Discretionary|NASDAQ|BBG000N9MNX3
TXN|Texas Instruments|Information Technology|NASDAQ|BBG000BVV7G1
TPL|Texas Pacific Land Corporation|Energy|NYSE|BBG00YRJXKB1
TXT|Textron|Industrials|NYSE|BBG000BVVQQ8
TMO|Thermo Fisher Scientific|Health Care|NYSE|BBG000BVDLH9
TJX|TJX Companies|Consumer Discretionary|NYSE|BBG000BV8DN6
TKO|TKO Group Holdings|Communication Services|NYSE|BBG01G9JKWV5
TTD|Trade Desk (The)|Communication Services|NASDAQ|BBG00629NGT2
TSCO|Tractor Supply|Consumer Discretionary|NASDAQ|BBG000BLXZN1
TT|Trane Technologies|Industrials|NYSE|
TDG|TransDigm Group|Industrials|NYSE|BBG000L8CBX4
TRV|Travelers Companies (The)|Financials|NYSE|BBG000BJ81C1
TRMB|Trimble Inc.|Information Technology|NASDAQ|BBG000BNPS52
TFC|Truist Financial|Financials|NYSE|BBG000BYYLS8
TYL|Tyler Technologies|Information Technology|NYSE|BBG000BVWZF9
TSN|Tyson Foods|Consumer Staples|NYSE|BBG000DKCC19
USB|U.S. Bancorp|Financials|NYSE|BBG000FFDM15
UBER|Uber|Industrials|NYSE|BBG002B04MT8
UDR|UDR, Inc.|Real Estate|NYSE|BBG000C41023
ULTA|Ulta Beauty|Consumer Discretionary|NASDAQ|BBG00FWQ4VD6
UNP|Union Pacific Corporation|Industrials|NYSE|BBG000BW3299
UAL|United Airlines Holdings|Industrials|NASDAQ|BBG000M65M61
UPS|United Parcel Service|Industrials|NYSE|BBG000L9CV04
URI|United Rentals|Industrials|NYSE|BBG000BXMFC3
UNH|UnitedHealth Group|Health Care|NYSE|BBG000CH5208
UHS|Universal Health Services|Health Care|NYSE|BBG000CB8Q50
VLO|Valero Energy|Energy|NYSE|BBG000BBGGQ1
VEEV|Veeva Systems|Health Care|NYSE|BBG001CGB489
VTR|Ventas|Real Estate|NYSE|BBG000FRVHB9
VLTO|Veralto|Industrials|NYSE|BBG019Q32XJ9
VRSN|Verisign|Information Technology|NASDAQ|BBG000BGKHZ3
VRSK|Verisk Analytics|Industrials|NASDAQ|BBG000BCZL41
VZ|Verizon|Communication Services|NYSE|BBG000HS77T5
VRTX|Vertex Pharmaceuticals|Health Care|NASDAQ|BBG000C1S2X2
VRT|Vertiv|Industrials|NYSE|BBG00L2B8KW8
VTRS|Viatris|Health Care|NASDAQ|BBG00Y4RQNH4
VICI|Vici Properties|Real Estate|NYSE|BBG00HVVB499
V|Visa Inc.|Financials|NYSE|BBG000PSKYX7
VST|Vistra Corp.|Utilities|NYSE|BBG00DXDL6Q1
VMC|Vulcan Materials Company|Materials|NYSE|BBG000BWGYF8
WRB|W. R. Berkley Corporation|Financials|NYSE|BBG000BD1HP2
GWW|W. W. Grainger|Industrials|NYSE|BBG000BKR1D6
WAB|Wabtec|Industrials|NYSE|BBG000BDD940
WMT|Walmart|Consumer Staples|NASDAQ|BBG000BWXBC2
DIS|Walt Disney Company (The)|Communication Services|NYSE|BBG000BH4R78
WBD|Warner Bros. Discovery|Communication Services|NASDAQ|BBG011386VF4
WM|Waste Management|Industrials|NYSE|BBG000BWVSR1
WAT|Waters Corporation|Health Care|NYSE|BBG000FQRVM3
WEC|WEC Energy Group|Utilities|NYSE|BBG000BWP7D9
WFC|Wells Fargo|Financials|NYSE|BBG000BWQFY7
WELL|Welltower|Real Estate|NYSE|BBG000BKY1G5
WST|West Pharmaceutical Services|Health Care|NYSE|BBG000BX24N8
WDC|Western Digital|Information Technology|NASDAQ|BBG000BWNFZ9
WY|Weyerhaeuser|Real Estate|NYSE|BBG000BX3BL3
WSM|Williams-Sonoma, Inc.|Consumer Discretionary|NYSE|BBG000FSMWC3
WMB|Williams Companies|Energy|NYSE|BBG000BWVCP8
WTW|Willis Towers Watson|Financials|NASDAQ|
WDAY|Workday, Inc.|Information Technology|NASDAQ|BBG000VC0T95
WYNN|Wynn Resorts|Consumer Discretionary|NASDAQ|BBG000LD9JQ8
XEL|Xcel Energy|Utilities|NASDAQ|BBG000BCTQ65
XYL|Xylem Inc.|Industrials|NYSE|BBG001D8R5D0
YUM|Yum! Brands|Consumer Discretionary|NYSE|BBG000BH3GZ2
ZBRA|Zebra Technologies|Information Technology|NASDAQ|BBG000CC7LQ7
ZBH|Zimmer Biomet|Health Care|NYSE|BBG000BKPL53
ZTS|Zoetis|Health Care|NYSE|BBG0039320N9
SPY|SPDR S&P 500 ETF Trust||NYSEARCA|BBG000BDTBL9
QQQ|Invesco QQQ Trust, Series 1||NASDAQ|BBG000BSWKH7
IWM|iShares Russell 2000 ETF||NYSEARCA|BBG000CGC9C4
EEM|iShares MSCI Emerging Markets ETF||NYSEARCA|BBG000M0P5L2
`;
